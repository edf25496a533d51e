package browser

// Remedy is an error with what to do about it.
type Remedy struct {
	Err  error
	Do   string // in words that an agent may read; may be empty
	Flag string // for whoever starts tabrelay; may be empty
}

// Error returns all of it.
func (r *Remedy) Error() string {
	text := r.Err.Error()
	if r.Do != "" {
		text += "; " + r.Do
	}
	if r.Flag != "" {
		text += "; " + r.Flag
	}
	return text
}

// Unwrap returns what went wrong.
func (r *Remedy) Unwrap() error { return r.Err }
