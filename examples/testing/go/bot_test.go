// Tests of a bot in Go against a real server. `go test bot_test.go`
package bot

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
)

type account struct {
	UserID int    `json:"user_id"`
	Email  string `json:"email"`
	Role   string `json:"role"`
	APIKey string `json:"api_key"`
}

type server struct {
	URL      string    `json:"url"`
	Accounts []account `json:"accounts"`
}

// start serves the people of Zulip's documentation from memory, until the test ends, however it ends.
func start(t *testing.T) *server {
	t.Helper()
	command := exec.Command("chat-server", "serve", "--dev", "--db", ":memory:", "--port", "0", "--json", "--stop-with-stdin")
	command.Stderr = os.Stderr
	stdin, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// SIGTERM ends it in order too.
		stdin.Close()
		command.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err != nil {
		t.Fatal("chat-server did not start: ", err)
	}
	ready := &server{}
	if err := json.Unmarshal(line, ready); err != nil {
		t.Fatal(err)
	}
	return ready
}

// post calls the API as an account. Lists and objects in parameters are JSON.
func (s *server) post(t *testing.T, as account, path string, params url.Values) map[string]any {
	t.Helper()
	request, err := http.NewRequest("POST", s.URL+"/api/v1"+path, strings.NewReader(params.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	request.SetBasicAuth(as.Email, as.APIKey)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer := map[string]any{}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

func TestAMessageIsAccepted(t *testing.T) {
	chat := start(t)
	owner := chat.Accounts[0]
	params := url.Values{"type": {"stream"}, "to": {"general"}, "topic": {"hello"}, "content": {"To be?"}}
	if answer := chat.post(t, owner, "/messages", params); answer["result"] != "success" {
		t.Fatal(answer)
	}
}
