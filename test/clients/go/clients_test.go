// Package clients uses all six endpoints by the clients that oapi-codegen and openapi-generator generate.
package clients

import (
	"net/http"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"testing"
)

var (
	serviceURL = os.Getenv("SERVICE_URL")
	staffToken = os.Getenv("STAFF_TOKEN")
)

const anyScript = "Zoë fragt: 你好 👋🏽\n\tשלום"

func pointer[T any](value T) *T { return &value }

func equal(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got %+v, want %+v", got, want)
	}
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var next = regexp.MustCompile(`<([^>]+)>; rel="next"`)

// nextCursor returns the cursor of the next page; nil on the last one.
func nextCursor(t *testing.T, response *http.Response) *string {
	t.Helper()
	link := next.FindStringSubmatch(response.Header.Get("Link"))
	if link == nil {
		return nil
	}
	page, err := url.Parse(link[1])
	noError(t, err)
	return pointer(page.Query().Get("cursor"))
}
