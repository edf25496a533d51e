package fleet

import (
	"errors"
	"time"

	"github.com/gorilla/websocket"
)

const writeWait = 20 * time.Second

// pump carries messages between a link and a WebSocket until either ends, and
// tells the other why.
func pump(l *Link, ws *websocket.Conn) {
	ws.SetReadLimit(maxMessage)
	read := make(chan struct{})
	go func() { // ends with the socket, which is closed below
		defer close(read)
		for {
			_, message, err := ws.ReadMessage()
			if err == nil {
				err = l.Write(message)
			}
			if err != nil {
				code, reason := closing(err)
				l.Close(code, reason)
				return
			}
		}
	}()
	var err error
	for {
		var message []byte
		if message, err = l.Read(); err != nil {
			break
		}
		_ = ws.SetWriteDeadline(time.Now().Add(writeWait))
		if err = ws.WriteMessage(websocket.TextMessage, message); err != nil {
			break
		}
	}
	why := ended(err)
	l.Close(1001, "the client is gone")
	_ = ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(why.Code, why.Reason), time.Now().Add(time.Second))
	_ = ws.Close()
	<-read
}

// closing is what the end of a socket says to the other side.
func closing(err error) (int, string) {
	var e *websocket.CloseError
	var was Ended
	switch {
	case errors.As(err, &was):
		return was.Code, was.Reason
	case errors.As(err, &e) && e.Code != websocket.CloseNoStatusReceived && e.Code != websocket.CloseAbnormalClosure:
		return e.Code, e.Text
	}
	return websocket.CloseGoingAway, "the other side is gone"
}
