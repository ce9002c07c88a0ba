package clients

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	api "example.com/clients/generated/oapicodegen"
	"github.com/google/uuid"
)

func oapiCodegen(t *testing.T, options ...api.ClientOption) *api.ClientWithResponses {
	client, err := api.NewClientWithResponses(serviceURL, options...)
	noError(t, err)
	return client
}

func oapiCodegenStaff(t *testing.T) *api.ClientWithResponses {
	return oapiCodegen(t, api.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authentication", staffToken)
		return nil
	}))
}

func oapiCodegenCreate(t *testing.T, input api.ContactRequestInput) api.ContactRequest {
	t.Helper()
	response, err := oapiCodegen(t).CreateContactWithResponse(t.Context(), nil, input)
	noError(t, err)
	equal(t, response.StatusCode(), 201)
	contact := *response.JSON201
	// Only the response to a submission has it.
	equal(t, contact.Success, pointer(true))
	contact.Success = nil
	return contact
}

func TestOapiCodegenSendsAMessageInAnyScriptAndFieldsOfItsOwn(t *testing.T) {
	input := api.ContactRequestInput{Message: pointer(anyScript)}
	var topic, copies api.ContactRequestInput_AdditionalProperties
	noError(t, topic.FromContactRequestInput0("An order"))
	noError(t, copies.FromContactRequestInput2(16777217))
	input.Set("topic", topic)
	input.Set("copies", copies)
	contact := oapiCodegenCreate(t, input)
	equal(t, contact.Message, pointer(anyScript))
	for name, want := range map[string]string{"topic": "An order", "copies": "16777217"} {
		got, err := (*contact.Extra)[name].AsContactRequestExtra0()
		noError(t, err)
		equal(t, got, want)
	}
}

func TestOapiCodegenSendsAnIdempotencyKey(t *testing.T) {
	key := &api.CreateContactParams{IdempotencyKey: pointer(uuid.NewString())}
	input := api.ContactRequestInput{Message: pointer("Hello!")}
	first, err := oapiCodegen(t).CreateContactWithResponse(t.Context(), key, input)
	noError(t, err)
	again, err := oapiCodegen(t).CreateContactWithResponse(t.Context(), key, input)
	noError(t, err)
	equal(t, again.JSON201, first.JSON201)
}

func TestOapiCodegenGetsErrorsWithTheirCodes(t *testing.T) {
	input := api.ContactRequestInput{Message: pointer("Hello!"), Company: pointer(strings.Repeat("x", 201))}
	response, err := oapiCodegen(t).CreateContactWithResponse(t.Context(), nil, input)
	noError(t, err)
	equal(t, response.StatusCode(), 400)
	details := *response.JSON400.Details
	equal(t, len(details), 1)
	equal(t, details[0].Code, api.TooLong)
}

func TestOapiCodegenFollowsThePagesOfAList(t *testing.T) {
	var sent, read []api.ContactRequest
	for _, message := range []string{"One", "Two", "Three"} {
		sent = append(sent, oapiCodegenCreate(t, api.ContactRequestInput{Message: pointer(message)}))
	}
	params := api.ListContactsParams{Limit: pointer(1), Since: &sent[0].CreatedAt}
	for {
		page, err := oapiCodegenStaff(t).ListContactsWithResponse(t.Context(), &params)
		noError(t, err)
		read = append(read, *page.JSON200...)
		if params.Cursor = nextCursor(t, page.HTTPResponse); params.Cursor == nil {
			break
		}
	}
	slices.Reverse(read)
	equal(t, read, sent)
}

func TestOapiCodegenFetchesAndDeletesAContactRequest(t *testing.T) {
	staff := oapiCodegenStaff(t)
	contact := oapiCodegenCreate(t, api.ContactRequestInput{Message: pointer("Hello!")})
	fetched, err := staff.GetContactWithResponse(t.Context(), contact.Id)
	noError(t, err)
	equal(t, fetched.JSON200, &contact)
	deleted, err := staff.DeleteContactWithResponse(t.Context(), contact.Id)
	noError(t, err)
	equal(t, deleted.StatusCode(), 204)
	absent, err := staff.DeleteContactWithResponse(t.Context(), contact.Id)
	noError(t, err)
	equal(t, absent.JSON404.Error, api.ServiceErrorErrorNotFound)
}

func TestOapiCodegenListsAndFetchesCampaigns(t *testing.T) {
	staff := oapiCodegenStaff(t)
	listed, err := staff.ListCampaignsWithResponse(t.Context(), &api.ListCampaignsParams{Limit: pointer(1)})
	noError(t, err)
	campaign := (*listed.JSON200)[0]
	fetched, err := staff.GetCampaignWithResponse(t.Context(), campaign.Id)
	noError(t, err)
	equal(t, fetched.JSON200, &campaign)
}
