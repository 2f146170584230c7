// One program for etcd, the control plane of Kubernetes and kubectl, for npm run cluster-lab. The first argument is which of
// them it is; the others are the flags of that one.
package main

import (
	"fmt"
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	manager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "The first argument must be etcd, apiserver, controller-manager, scheduler or kubectl.")
		os.Exit(64)
	}
	which := os.Args[1]
	os.Args = append([]string{os.Args[0]}, os.Args[2:]...)
	switch which {
	case "etcd":
		etcdmain.Main(os.Args)
	case "apiserver":
		os.Exit(cli.Run(apiserver.NewAPIServerCommand()))
	case "controller-manager":
		os.Exit(cli.Run(manager.NewControllerManagerCommand()))
	case "scheduler":
		os.Exit(cli.Run(scheduler.NewSchedulerCommand()))
	case "kubectl":
		os.Exit(cli.Run(kubectl.NewDefaultKubectlCommand()))
	default:
		fmt.Fprintf(os.Stderr, "%s is none of etcd, apiserver, controller-manager, scheduler and kubectl.\n", which)
		os.Exit(64)
	}
}
