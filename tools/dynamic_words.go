package tools

// name64 is a short word of ASCII, or nothing.
func name64(s string) string {
	if validKey.MatchString(s) {
		return s
	}
	return ""
}
