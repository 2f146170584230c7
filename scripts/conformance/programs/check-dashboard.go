// Reads a dashboard of Grafana by Grafana's own types: a member that they do not have is refused, and one that they need and
// is missing.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

func main() {
	plugins.RegisterDefaultPlugins()
	raw, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var read dashboard.Dashboard
	err = read.UnmarshalJSONStrict(raw)
	if defects, ok := err.(cog.BuildErrors); ok && len(defects) == 0 {
		err = nil // the package gives an empty list as an error
	}
	if err == nil {
		var shown dashboard.Dashboard
		if err = json.Unmarshal(raw, &shown); err == nil {
			err = shown.Validate()
		}
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Printf("%d panels\n", len(read.Panels))
}
