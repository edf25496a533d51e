package trace

import (
	"encoding/json"
	"time"
)

// event is an event of a trace; times are in µs.
type event struct {
	thread
	Name string  `json:"name"`
	Ph   string  `json:"ph"`
	TS   float64 `json:"ts"`
	Dur  float64 `json:"dur"`
	Args struct {
		Name string          `json:"name"`
		Data json.RawMessage `json:"data"`
	} `json:"args"`
}

type thread struct {
	PID int `json:"pid"`
	TID int `json:"tid"`
}

// data is what an event carries besides its name and times.
type data struct {
	RequestID string  `json:"requestId"`
	URL       string  `json:"url"`
	Encoded   float64 `json:"encodedDataLength"`
	Score     float64 `json:"weighted_score_delta"`
	Recent    bool    `json:"had_recent_input"`
	MainFrame *bool   `json:"isMainFrame"`
	Outermost *bool   `json:"isOutermostMainFrame"`
	Loader    string  `json:"documentLoaderURL"`
}

// data returns it, empty where there is none that can be read.
func (e event) data() (d data) {
	_ = json.Unmarshal(e.Args.Data, &d)
	return d
}

// parse returns the events of a trace: an object that holds them, or their list.
func parse(text []byte) ([]event, error) {
	var whole struct {
		Events []event `json:"traceEvents"`
	}
	err := json.Unmarshal(text, &whole)
	if err != nil {
		err = json.Unmarshal(text, &whole.Events)
	}
	if err == nil && len(whole.Events) == 0 {
		err = ErrNoEvents
	}
	return whole.Events, err
}

func micros(us float64) time.Duration { return time.Duration(us * float64(time.Microsecond)) }
