package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const replayWindow = 5 * time.Minute
const largestBody = 1 << 20

type event struct {
	Event     string                     `json:"event"`
	Timestamp string                     `json:"timestamp"`
	Data      map[string]json.RawMessage `json:"data"`
	Signature string                     `json:"signature"`
}

type refused struct {
	status  int
	message string
}

func (r *refused) Error() string { return r.message }

func mac(key []byte, data ...[]byte) []byte {
	hash := hmac.New(sha256.New, key)
	for _, part := range data {
		hash.Write(part)
	}
	return hash.Sum(nil)
}

// After whsec_ the key is base64, its padding may be left out; any other secret is its UTF-8 bytes.
func standardKey(secret string) ([]byte, error) {
	if !strings.HasPrefix(secret, "whsec_") {
		return []byte(secret), nil
	}
	return base64.RawStdEncoding.DecodeString(strings.TrimRight(strings.TrimPrefix(secret, "whsec_"), "="))
}

// Every candidate is compared, each in constant time.
func matches(candidates []string, expected string) bool {
	found := false
	for _, candidate := range candidates {
		found = hmac.Equal([]byte(candidate), []byte(expected)) || found
	}
	return found
}

func checkTime(text string, unit time.Duration) error {
	count, err := strconv.ParseUint(text, 10, 43)
	if err != nil {
		return &refused{400, "the delivery's timestamp is missing or malformed"}
	}
	at := time.UnixMilli(int64(count) * unit.Milliseconds())
	if distance := time.Since(at); distance > replayWindow || distance < -replayWindow {
		return &refused{400, "the delivery is more than 5 minutes old or early"}
	}
	return nil
}

func checkOwn(body []byte, headers http.Header, secret string) error {
	given := []string{headers.Get("x-service-signature"), headers.Get("x-service-signature-previous")}
	if !matches(given, hex.EncodeToString(mac([]byte(secret), body))) {
		return &refused{401, "x-service-signature does not match the body"}
	}
	return nil
}

func checkStandard(body []byte, headers http.Header, secret string) error {
	key, err := standardKey(secret)
	if err != nil {
		return err
	}
	head := headers.Get("webhook-id") + "." + headers.Get("webhook-timestamp") + "."
	expected := "v1," + base64.StdEncoding.EncodeToString(mac(key, []byte(head), body))
	if !matches(strings.Split(headers.Get("webhook-signature"), " "), expected) {
		return &refused{401, "webhook-signature does not match id, timestamp and body"}
	}
	return nil
}

// Verifies a delivery and returns its event. Every kind of signature that is present must be valid.
func verify(body []byte, headers http.Header, secret string) (*event, error) {
	own := headers["X-Service-Signature"] != nil || headers["X-Service-Signature-Previous"] != nil
	standard := headers["Webhook-Signature"] != nil
	if !own && !standard {
		return nil, &refused{401, "the delivery is not signed"}
	}
	if own {
		if err := checkOwn(body, headers, secret); err != nil {
			return nil, err
		}
	}
	if standard {
		if err := checkStandard(body, headers, secret); err != nil {
			return nil, err
		}
		if err := checkTime(headers.Get("webhook-timestamp"), time.Second); err != nil {
			return nil, err
		}
	}
	if own {
		if err := checkTime(headers.Get("x-service-timestamp"), time.Millisecond); err != nil {
			return nil, err
		}
	}
	var told event
	if json.Unmarshal(body, &told) != nil || told.Event == "" || told.Data == nil {
		return nil, &refused{400, "the body is not an event"}
	}
	return &told, nil
}

type receiver struct {
	secret string
	lock   sync.Mutex
	// Ids of handled deliveries. A real receiver stores them in the same transaction as the effects of its handlers.
	handled map[string]bool
}

func (r *receiver) handle(id string, told *event) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if id == "" || !r.handled[id] {
		fmt.Println(id, told.Event)
		r.handled[id] = true
	}
}

func (r *receiver) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	id := request.Header.Get("webhook-id")
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, largestBody))
	if err != nil {
		response.WriteHeader(400)
		return
	}
	told, err := verify(body, request.Header, r.secret)
	if err == nil {
		r.handle(id, told)
		response.WriteHeader(200)
	} else if refusal, ok := err.(*refused); ok {
		fmt.Println(id, refusal.status, refusal.message)
		response.WriteHeader(refusal.status)
	} else {
		response.WriteHeader(500)
	}
}

func main() {
	secret, port := os.Getenv("WEBHOOK_SECRET"), os.Getenv("PORT")
	if secret == "" {
		panic("set WEBHOOK_SECRET")
	}
	if port == "" {
		port = "8080"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		panic(err)
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	panic(http.Serve(listener, &receiver{secret: secret, handled: map[string]bool{}}))
}
