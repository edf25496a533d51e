package daemon

import (
	"strings"
	"testing"
)

func TestDaemonOfAnotherProtocol(t *testing.T) {
	if err := (Contact{Protocol: WireProtocol, Version: "v9.9.9"}).fits(); err != nil {
		t.Errorf("a newer one of the same protocol: %v", err)
	}
	if err := (Contact{Protocol: WireProtocol - 1}).fits(); err != errOlder {
		t.Errorf("an older one: %v", err)
	}
	err := (Contact{Protocol: WireProtocol + 1, Version: "v9.9.9"}).fits()
	if err == nil || !strings.Contains(err.Error(), "v9.9.9") || !strings.Contains(err.Error(), "tabrelay stop") {
		t.Errorf("a newer protocol: %v", err)
	}
}
