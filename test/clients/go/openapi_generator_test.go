package clients

import (
	"context"
	"errors"
	"slices"
	"testing"

	api "example.com/clients/generated/openapigenerator"
	"github.com/google/uuid"
)

func openapiGenerator() *api.APIClient {
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: serviceURL}}
	return api.NewAPIClient(configuration)
}

func asStaff(t *testing.T) context.Context {
	return context.WithValue(t.Context(), api.ContextAPIKeys, map[string]api.APIKey{"token": {Key: staffToken}})
}

func openapiGeneratorCreate(t *testing.T, input api.ContactRequestInput) *api.ContactRequest {
	t.Helper()
	create := openapiGenerator().ContactRequestsAPI.CreateContact(t.Context()).ContactRequestInput(input)
	contact, _, err := create.Execute()
	noError(t, err)
	// Only the response to a submission has it.
	equal(t, contact.Success, pointer(true))
	contact.Success = nil
	return contact
}

func isServiceError(t *testing.T, err error, reason string) api.ServiceError {
	t.Helper()
	var failure *api.GenericOpenAPIError
	equal(t, errors.As(err, &failure), true)
	model, isModel := failure.Model().(api.ServiceError)
	equal(t, isModel, true)
	equal(t, model.Error, reason)
	return model
}

func TestOpenapiGeneratorSendsAMessageInAnyScriptAndFieldsOfItsOwn(t *testing.T) {
	contact := openapiGeneratorCreate(t, api.ContactRequestInput{
		Message:              pointer(anyScript),
		AdditionalProperties: map[string]any{"topic": "An order", "colours": []string{"red", "blue"}, "copies": 3},
	})
	equal(t, contact.Message, pointer(anyScript))
	equal(t, contact.Extra, map[string]api.ContactRequestExtraValue{
		"topic":   {String: pointer("An order")},
		"colours": {ArrayOfString: &[]string{"red", "blue"}},
		"copies":  {String: pointer("3")},
	})
}

func TestOpenapiGeneratorSendsAnIdempotencyKey(t *testing.T) {
	input := api.ContactRequestInput{Message: pointer("Hello!")}
	create := openapiGenerator().ContactRequestsAPI.CreateContact(t.Context()).ContactRequestInput(input)
	create = create.IdempotencyKey(uuid.NewString())
	first, _, err := create.Execute()
	noError(t, err)
	again, _, err := create.Execute()
	noError(t, err)
	equal(t, again, first)
}

func TestOpenapiGeneratorGetsErrorsWithTheirCodes(t *testing.T) {
	input := api.ContactRequestInput{Email: pointer("nobody"), Message: pointer("Hello!")}
	_, _, err := openapiGenerator().ContactRequestsAPI.CreateContact(t.Context()).ContactRequestInput(input).Execute()
	details := isServiceError(t, err, "Bad Request").Details
	equal(t, len(details), 1)
	equal(t, details[0].Code, "invalid_email")
}

func TestOpenapiGeneratorFollowsThePagesOfAList(t *testing.T) {
	var sent, read []api.ContactRequest
	for _, message := range []string{"One", "Two", "Three"} {
		sent = append(sent, *openapiGeneratorCreate(t, api.ContactRequestInput{Message: pointer(message)}))
	}
	list := openapiGenerator().ContactRequestsAPI.ListContacts(asStaff(t)).Limit(1).Since(sent[0].CreatedAt)
	for {
		page, response, err := list.Execute()
		noError(t, err)
		read = append(read, page...)
		cursor := nextCursor(t, response)
		if cursor == nil {
			break
		}
		list = list.Cursor(*cursor)
	}
	slices.Reverse(read)
	equal(t, read, sent)
}

func TestOpenapiGeneratorFetchesAndDeletesAContactRequest(t *testing.T) {
	staff := openapiGenerator().ContactRequestsAPI
	contact := openapiGeneratorCreate(t, api.ContactRequestInput{Message: pointer("Hello!")})
	fetched, _, err := staff.GetContact(asStaff(t), contact.Id).Execute()
	noError(t, err)
	equal(t, fetched, contact)
	_, err = staff.DeleteContact(asStaff(t), contact.Id).Execute()
	noError(t, err)
	_, err = staff.DeleteContact(asStaff(t), contact.Id).Execute()
	isServiceError(t, err, "Not Found")
}

func TestOpenapiGeneratorListsAndFetchesCampaigns(t *testing.T) {
	campaigns := openapiGenerator().CampaignsAPI
	listed, _, err := campaigns.ListCampaigns(asStaff(t)).Limit(1).Execute()
	noError(t, err)
	fetched, _, err := campaigns.GetCampaign(asStaff(t), listed[0].Id).Execute()
	noError(t, err)
	equal(t, fetched, &listed[0])
}
