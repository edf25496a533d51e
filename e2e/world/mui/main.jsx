// An application form of Material UI.
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { Autocomplete, Button, Checkbox, Chip, FormControlLabel, InputLabel, Menu, MenuItem, FormControl, Radio, RadioGroup, Rating, Select, Slider, Snackbar, Switch, Tab, Tabs, TextField } from "@mui/material";

const state = {};
window.model = () => state;
function Form() {
  const [role, setRole] = useState("");
  const [anchor, setAnchor] = useState(null);
  const [open, setOpen] = useState(false);
  const [tab, setTab] = useState(0);
  const keep = (key, value) => { state[key] = value; };
  return (
    <>
      <h1>Apply</h1>
      <TextField label="Full name" onChange={(e) => keep("name", e.target.value)} />
      <FormControl sx={{ width: 200 }}><InputLabel id="role">Role</InputLabel>
        <Select labelId="role" label="Role" value={role} onChange={(e) => { setRole(e.target.value); keep("role", e.target.value); }}>
          <MenuItem value="dev">Developer</MenuItem><MenuItem value="ops">Operator</MenuItem><MenuItem value="pm">Planner</MenuItem>
        </Select></FormControl>
      <Autocomplete sx={{ width: 240 }} options={["Berlin", "Bern", "Oslo", "Porto"]} onChange={(_, v) => keep("city", v)} renderInput={(p) => <TextField {...p} label="City" />} />
      <Autocomplete multiple sx={{ width: 240 }} options={["Go", "Rust", "Zig"]} onChange={(_, v) => keep("skills", v)} renderInput={(p) => <TextField {...p} label="Skills" />} renderTags={(v, props) => v.map((s, i) => <Chip {...props({ index: i })} key={s} label={s} />)} />
      <FormControlLabel control={<Checkbox onChange={(e) => keep("agree", e.target.checked)} />} label="I agree" />
      <FormControlLabel control={<Switch onChange={(e) => keep("remote", e.target.checked)} />} label="Remote" />
      <RadioGroup onChange={(e) => keep("hours", e.target.value)}><FormControlLabel value="full" control={<Radio />} label="Full time" /><FormControlLabel value="half" control={<Radio />} label="Half time" /></RadioGroup>
      <Slider aria-label="Years" max={40} onChange={(_, v) => keep("years", v)} sx={{ width: 300 }} />
      <Rating name="mood" onChange={(_, v) => keep("mood", v)} />
      <Tabs value={tab} onChange={(_, v) => { setTab(v); keep("tab", v); }}><Tab label="Profile" /><Tab label="Letter" /></Tabs>
      <p>{tab ? "Dear sirs" : "About me"}</p>
      <Button onClick={(e) => setAnchor(e.currentTarget)}>Actions</Button>
      <Menu open={!!anchor} anchorEl={anchor} onClose={() => setAnchor(null)}>{["Save", "Withdraw"].map((a) => <MenuItem key={a} onClick={() => { keep("action", a); setAnchor(null); setOpen(true); }}>{a}</MenuItem>)}</Menu>
      <Snackbar open={open} onClose={() => setOpen(false)} message="All done" />
    </>
  );
}
createRoot(document.getElementById("root")).render(<Form />);
