package settings

import (
	"fmt"
	"path/filepath"

	"github.com/tabrelay/tabrelay/cmd/internal/state"
	"github.com/tabrelay/tabrelay/tools"
)

// maxSecrets is how many bytes a file of secrets may have.
const maxSecrets = 256 << 10

// readSecrets reads a file of secrets, which nobody else may be able to read, and
// which is in none of the folders that pages are given files of.
func readSecrets(name string, folders []string) (tools.Vault, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	text, err := state.ReadOwn(path, maxSecrets)
	if err == nil && len(text) == maxSecrets {
		err = fmt.Errorf("%s has %d bytes or more", path, maxSecrets)
	}
	if err != nil {
		return nil, err
	}
	for _, folder := range folders {
		if holds(folder, path) {
			return nil, fmt.Errorf("%s is in %s, whose files pages may be given: keep it elsewhere", path, folder)
		}
	}
	return tools.ReadVault(string(text))
}
