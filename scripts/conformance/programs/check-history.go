// Checks whether a history of transfers and reads is linearizable: a bank without concurrency could have answered it.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/anishathalye/porcupine"
)

const maxAccounts = 8

type balances [maxAccounts]int64

type observed struct {
	Worker  int    `json:"worker"`
	Start   int64  `json:"start"`
	End     int64  `json:"end"`
	Kind    string `json:"kind"`
	From    int    `json:"from"`
	To      int    `json:"to"`
	Account int    `json:"account"`
	Cents   int64  `json:"cents"`
	Posted  bool   `json:"posted"`
}

type recorded struct {
	Accounts int        `json:"accounts"`
	Start    int64      `json:"start"`
	History  []observed `json:"history"`
}

func modelOf(bank recorded) porcupine.Model {
	return porcupine.Model{
		Init: func() interface{} {
			var start balances
			for account := range bank.Accounts {
				start[account] = bank.Start
			}
			return start
		},
		Step: func(before, input, _ interface{}) (bool, interface{}) {
			state, call := before.(balances), input.(observed)
			if call.Kind == "read" {
				return state[call.Account] == call.Cents, state
			}
			if !call.Posted {
				return state[call.From] < call.Cents, state
			}
			if state[call.From] < call.Cents {
				return false, state
			}
			state[call.From] -= call.Cents
			state[call.To] += call.Cents
			return true, state
		},
	}
}

func isLinearizable(bank recorded) bool {
	operations := make([]porcupine.Operation, len(bank.History))
	for at, call := range bank.History {
		operations[at] = porcupine.Operation{ClientId: call.Worker, Input: call, Call: call.Start, Return: call.End}
	}
	return porcupine.CheckOperations(modelOf(bank), operations)
}

// A copy of the history in which one read answers a cent too much. A checker that takes it proves nothing.
func withOneWrongRead(bank recorded) recorded {
	history := append([]observed(nil), bank.History...)
	for at := range history {
		if history[at].Kind == "read" {
			history[at].Cents++
			bank.History = history
			return bank
		}
	}
	panic("the history has no read")
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var bank recorded
	if err := json.Unmarshal(text, &bank); err != nil {
		panic(err)
	}
	if !isLinearizable(bank) {
		fmt.Println("No order of these calls gives their answers.")
		os.Exit(1)
	}
	if isLinearizable(withOneWrongRead(bank)) {
		fmt.Println("The checker takes a history with a wrong read.")
		os.Exit(1)
	}
	posted := 0
	for _, call := range bank.History {
		if call.Posted {
			posted++
		}
	}
	fmt.Printf("%d calls, %d transfers posted: linearizable\n", len(bank.History), posted)
}
