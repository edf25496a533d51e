// jQuery UI takes jQuery from the window.
import $ from "jquery";
window.jQuery = window.$ = $;
require("jquery-ui-dist/jquery-ui.js");
