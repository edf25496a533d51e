# first_call.sh TABRELAY: sets up a client and makes the first call with what that
# client then has in its configuration.
tabrelay=$1
export TABRELAY_HEADLESS=true
if [ "$(id -u)" = 0 ]; then export TABRELAY_NO_SANDBOX=true; fi # root has none
trap '"$tabrelay" stop >/dev/null 2>&1 || true' EXIT

mkdir -p "$HOME/.cursor"
"$tabrelay" setup cursor --yes
command=$(sed -n 's/.*"command": "\(.*\)".*/\1/p' "$HOME/.cursor/mcp.json")
echo "the client starts $command"

# asks ID METHOD PARAMS: prints the answer.
asks() {
  echo '{"jsonrpc":"2.0","id":'"$1"',"method":"'"$2"'","params":'"$3"'}' >&3
  while read -r answer <&4; do
    case $answer in *'"id":'"$1",*) echo "$answer"; return ;; esac
  done
  echo "no answer to $2"
  return 1
}

mkfifo "$HOME/questions" "$HOME/answers"
"$command" <"$HOME/questions" >"$HOME/answers" &
exec 3>"$HOME/questions" 4<"$HOME/answers"
asks 1 initialize '{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"first","version":"1"}}' >/dev/null
echo '{"jsonrpc":"2.0","method":"notifications/initialized"}' >&3
asks 2 tools/call '{"name":"browser_connect","arguments":{}}'
asks 3 tools/call '{"name":"browser_tab_open","arguments":{"url":"data:text/html,<title>The first page</title><button>Go</button>"}}'
exec 3>&-
wait # until the client's program has ended, too
