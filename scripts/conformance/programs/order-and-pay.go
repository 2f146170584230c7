// Orders a dish and pays it with the client that oapi-codegen generated.
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"os"
	"strconv"
)

func main() {
	ctx := context.Background()
	url := os.Getenv("COMANDA_URL")
	anyone := must(NewClientWithResponses(url))
	credentials := LoginJSONRequestBody{Email: os.Getenv("COMANDA_EMAIL"), Password: os.Getenv("COMANDA_PASSWORD")}
	signedIn := must(anyone.LoginWithResponse(ctx, credentials))
	pair := given(signedIn.JSON200, signedIn.Body)
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+pair.AccessToken)
		return nil
	}
	api := must(NewClientWithResponses(url, WithRequestEditorFn(authorize)))

	menu := must(api.ListMenuWithResponse(ctx))
	dish := (*given(menu.JSON200, menu.Body))[0]
	var line OrderLine
	check(line.FromOrderLineByItemId(OrderLineByItemId{ItemId: dish.Id, Quantity: 2}))
	table := "12"
	placed := must(api.PlaceOrderWithResponse(ctx, &PlaceOrderParams{IdempotencyKey: newKey()},
		PlaceOrderJSONRequestBody{Items: []OrderLine{line}, Table: &table}))
	order := given(placed.JSON201, placed.Body)
	fmt.Printf("order %d: %s, %s %s\n", order.Id, order.Status, order.Total, order.Currency)

	read := must(api.GetBillWithResponse(ctx, *order.BillId, &GetBillParams{}))
	bill := given(read.JSON200, read.Body)
	var part BillPart
	check(part.FromBillPartByRest(BillPartByRest{Rest: true}))
	reserved := must(api.PayBillWithResponse(ctx, bill.Id, &PayBillParams{IdempotencyKey: newKey()},
		PayBillJSONRequestBody{Method: "account", Part: part, ExpectedAmount: bill.Remaining}))
	payment := given(reserved.JSON201, reserved.Body)
	accounts := must(api.ListAccountsWithResponse(ctx, &ListAccountsParams{}))
	account := findRich(*given(accounts.JSON200, accounts.Body))

	var agreed StepUpJSONBody_AuthorizationDetails_Item
	check(agreed.FromPayBillFromAccountDetails(PayBillFromAccountDetails{
		Type:          "bill_payment",
		PaymentId:     payment.Id,
		FromAccountId: &account.Id,
		Amount:        payment.Total,
		Currency:      PayBillFromAccountDetailsCurrency(account.Currency),
	}))
	stepped := must(api.StepUpWithResponse(ctx, StepUpJSONRequestBody{
		EndpointKey:          "bill_payment.create",
		TransactionPassword:  os.Getenv("COMANDA_PIN"),
		AuthorizationDetails: &[]StepUpJSONBody_AuthorizationDetails_Item{agreed},
	}))
	token := given(stepped.JSON201, stepped.Body).StepUpToken
	posted := must(api.PayBillFromAccountWithResponse(ctx,
		&PayBillFromAccountParams{IdempotencyKey: newKey(), XStepUpToken: &token},
		PayBillFromAccountJSONRequestBody{
			PaymentId:     payment.Id,
			FromAccountId: account.Id,
			Amount:        payment.Total,
			Currency:      PayBillFromAccountJSONBodyCurrency(account.Currency),
		}))
	paid := given(posted.JSON201, posted.Body)

	again := must(api.GetBillWithResponse(ctx, bill.Id, &GetBillParams{}))
	if remaining := given(again.JSON200, again.Body).Remaining; remaining != "0.00" {
		panic(remaining + " remains")
	}
	fmt.Printf("paid %s %s\n", paid.Amount, paid.Currency)
}

func newKey() *string {
	key := rand.Text()
	return &key
}

func findRich(accounts []Account) Account {
	for _, account := range accounts {
		if balance := must(strconv.ParseFloat(account.Balance, 64)); balance > 0 {
			return account
		}
	}
	panic("no account has money")
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func given[T any](value *T, body []byte) *T {
	if value == nil {
		panic(string(body))
	}
	return value
}
