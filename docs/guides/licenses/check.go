// Checks a license proof: check PROOF KEYS_FILE ITEM [MACHINE].
package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

type publicKey struct {
	Kid, X    string
	RetiredAt *time.Time
}

type license struct {
	Item, Machine string
	Iat, Exp      int64
}

// decode refuses texts that differ from how their bytes are written.
func decode(part string) ([]byte, error) { return base64.RawURLEncoding.Strict().DecodeString(part) }

func read(part string, into any) bool {
	data, err := decode(part)
	return err == nil && json.Unmarshal(data, into) == nil
}

// refusal returns an empty text if the license is valid, otherwise why it is not.
func refusal(proof string, keys []publicKey, item, machine string, now time.Time) string {
	var header struct{ Alg, Kid string }
	var claims license
	parts := strings.Split(proof, ".")
	if len(parts) != 3 || !read(parts[0], &header) || !read(parts[1], &claims) || header.Alg != "EdDSA" {
		return "malformed"
	}
	signature, err := decode(parts[2])
	if err != nil || len(signature) != ed25519.SignatureSize {
		return "malformed"
	}
	for _, key := range keys {
		if key.Kid != header.Kid {
			continue
		}
		public, err := decode(key.X)
		switch {
		case err != nil || len(public) != ed25519.PublicKeySize:
			return "unknown_key"
		case !ed25519.Verify(public, []byte(parts[0]+"."+parts[1]), signature):
			return "bad_signature"
		case key.RetiredAt != nil && !time.Unix(claims.Iat, 0).Before(*key.RetiredAt):
			return "retired_key"
		case claims.Item != item:
			return "other_item"
		case machine != "" && claims.Machine != machine:
			return "other_machine"
		case now.Unix() >= claims.Exp:
			return "expired"
		case claims.Iat > now.Unix()+300:
			return "not_yet_valid"
		}
		return ""
	}
	return "unknown_key"
}

func main() {
	var keys struct{ Keys []publicKey }
	data, err := os.ReadFile(os.Args[2])
	if err != nil || json.Unmarshal(data, &keys) != nil {
		fmt.Fprintln(os.Stderr, "the file of public keys cannot be read")
		os.Exit(2)
	}
	machine := strings.Join(os.Args[4:], "")
	if reason := refusal(os.Args[1], keys.Keys, os.Args[3], machine, time.Now()); reason != "" {
		fmt.Println(reason)
		os.Exit(1)
	}
	fmt.Println("valid")
}
