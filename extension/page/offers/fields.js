// Fields of offers: what each takes, in the words of JSON schema.

import {attr, closest, collapse, hasAttr, idrefs, localName, matches, parentElement, previousElement, queryAll, textContent, token, wellFormed} from '../dom/dom.js';
import {isPrivate} from '../dom/private.js';
import {rendered} from '../dom/style.js';
import {editingHost, roleOf} from '../aria/role.js';
import {nameOf} from '../aria/name.js';
import {ariaState, checkedState, valueOf} from '../aria/state.js';
import {refOf} from '../snapshot/refs.js';
import {INDEX, brief} from './offers.js';
import {nearText} from '../snapshot/hint.js';
/** @import {OfferedField} from './offers.js' */

/**
 * @typedef {object} FoundField
 * @property {string} name
 * @property {string} label
 * @property {string} type string, number, integer, boolean or array
 * @property {string} format
 * @property {string} value what it holds; never a private field's
 * @property {string} description
 * @property {boolean} required it wants a value and has none
 * @property {{name: string, element: Element}[]} choices what can be chosen: options, or controls of their own
 * @property {'fill' | 'check' | 'radio' | 'checks' | 'select' | 'widget' | 'suggest' | 'submit' | 'send'} how
 * @property {Element} element
 * @property {HTMLInputElement | null} input for its bounds
 */

const MOST_CHOICES = 60;
/** What a label says beside the name. */
const LABEL_EXTRA = /\s*(?:[(（](?:required|optional|obligatoire|facultatif|optionnel|pflichtfeld|erforderlich|obligatori[oa]|opcional|obrigatóri[oa]|obbligatori[oa]|facoltativ[oa]|verplicht|optioneel|wymagane|opcjonalne|обязательно|необязательно|必須|任意|必填|可选|选填|필수|선택)[)）]|[*✱]|[:：])\s*$/iu;
/** An option that asks to choose one. */
const ASKS = /^(select|choose|please|pick|bitte|(aus)?wähle|choisi|sélectionne|veuillez|seleccion|elija|elige|escolh|selecion|scegli|selezion|kies|maak een|wybierz|välj|seç|выбер|选择|請選|请选|選択|선택|--|—|…|$)/iu;
/** What is shown by a field for the number of rows that a page has. */
const PAGE_SIZE = /^\d+\s*(?:条|件)?\s*(?:\/|per|pro|par|por|per|na|op|на)\s*(?:page|seite|página|pagina|stron[ęe]|страниц[еу]|页|頁|ページ|sayfa|sida)$/iu;

/** @type {Record<string, [string, string, string]>} JSON schema's format, a pattern, and a word on it */
const INPUT_SHAPES = {
  date: ['date', '', ''], time: ['time', '', 'HH:MM'], 'datetime-local': ['date-time', '', 'YYYY-MM-DDTHH:MM, without a zone'],
  month: ['', '\\d{4}-\\d{2}', 'YYYY-MM'], week: ['', '\\d{4}-W\\d{2}', 'YYYY-Www'], color: ['', '#[0-9a-fA-F]{6}', ''],
  email: ['email', '', ''], url: ['uri', '', ''], password: ['password', '', ''], tel: ['', '', ''],
};

const FIELDS = 'input, select, textarea, button, [contenteditable]';

/** What has a name, or gives one to something else. */
const OTHERS = 'input, select, textarea, button, label, a[href], h1, h2, h3, h4, h5, h6, legend, [contenteditable], '
  + ['button', 'checkbox', 'combobox', 'heading', 'link', 'radio', 'searchbox', 'textbox'].map((role) => `[role="${role}"]`).join();

/** What a person reads of a field: its name, or the text beside it that is nothing else's. @param {Element} element */
export function shownLabel(element) {
  const name = nameOf(element);
  if (name) return name;
  const near = nearText(element, (node) => node instanceof Element && (matches(node, OTHERS) || queryAll(node, OTHERS).length > 0)).replace(/^near /, '');
  return near.length <= 40 && /\p{L}/u.test(near) ? near : '';
}

/** What a field is called. @param {Element} element */
export function fieldLabel(element) {
  let label = shownLabel(element);
  if (!label) label = (attr(element, 'name') ?? attr(element, 'id') ?? '').replace(/\[\]$/, '').replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_.-]+/g, ' ').trim();
  const shown = roleOf(element) === 'combobox' && !/^(input|textarea|select)$/.test(localName(element)) ? collapse(textContent(element)) : '';
  if (shown && label.length > shown.length && label.endsWith(shown)) label = label.slice(0, -shown.length); // what it holds is not its name
  if (localName(element) === 'select' && !nameOf(element) && PAGE_SIZE.test(collapse(/** @type {HTMLSelectElement} */ (element).selectedOptions[0]?.text ?? ''))) return 'Rows per page';
  label = collapse(label.replace(/[\u200b-\u200f\ufeff]/g, ''));
  for (let before = ''; before !== label;) [before, label] = [label, label.replace(LABEL_EXTRA, '')];
  return PAGE_SIZE.test(label) ? 'Rows per page' : brief(label, 80);
}

/** Letters that come apart into no plain one. @type {Record<string, string>} */
const PLAIN_LETTERS = {ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd'};

/** An argument's name for a label; '' where it has no plain letters. @param {string} label */
export function argumentName(label) {
  const plain = label.normalize('NFKD').replace(/[\u0300-\u036f]/g, '').replace(/[ßæœøłđ]/gi, (letter) => PLAIN_LETTERS[letter.toLowerCase()]).replace(/['’]/g, '').replace(/\([^)]*\)/g, ' ').toLowerCase();
  const words = plain.split(/[^a-z0-9]+/).filter(Boolean);
  if (!words.length || /[^\x00-\x7f]/.test(plain) && words.join('').length < 3) return '';
  while (words.length > 1 && words.join('_').length > 32) words.pop();
  const name = words.slice(0, 6).join('_');
  return /^[a-z]/.test(name) ? name : 'field_' + name;
}

/** The fields of one form, in order. @param {Element[]} elements @returns {FoundField[]} */
export function fieldsFrom(elements) {
  /** @type {FoundField[]} */
  const fields = [];
  /** @type {Map<string, FoundField>} */
  const groups = new Map();
  for (const element of elements) {
    const type = localName(element) === 'input' ? /** @type {HTMLInputElement} */ (element).type : '';
    const group = type === 'radio' || type === 'checkbox' ? attr(element, 'name') : null;
    const id = group && `${type} ${group}`;
    const before = id ? groups.get(id) : undefined;
    if (before) {
      addChoice(before, element);
      continue;
    }
    const field = fieldFrom(element, type, type === 'radio' || !!group && elements.some((other) => other !== element && attr(other, 'name') === group && attr(other, 'type') === 'checkbox'));
    if (!field) continue;
    if (id) groups.set(id, field);
    fields.push(field);
  }
  const taken = new Set([INDEX]);
  for (const field of fields) {
    let name = argumentName(field.label) || argumentName(attr(field.element, 'name') ?? '') || argumentName(attr(field.element, 'id') ?? '') || 'field';
    if (taken.has(name) && field.how !== 'radio') {
      const around = groupTitle(field.element);
      const longer = around && argumentName(`${around} ${field.label}`);
      if (longer) name = longer;
    }
    for (let i = 2, base = name; taken.has(name); i++) name = `${base}_${i}`;
    taken.add(name);
    field.name = name;
  }
  return fields;
}

/** What the group around a control is called. @param {Element} element */
function groupTitle(element) {
  const group = closest(element, 'fieldset, [role="group"], [role="radiogroup"]');
  return group ? nameOf(group).replace(LABEL_EXTRA, '') : '';
}

/** The words right before controls that are chosen among: those of nothing else. @param {Element} first */
function wordsBefore(first) {
  let at = closest(first, 'label') ?? first;
  for (let left = 3; left > 0; left--) {
    const before = previousElement(at);
    if (before) {
      const words = collapse(textContent(before)).replace(LABEL_EXTRA, '');
      return rendered(before) && !(localName(before) === 'label' && /** @type {HTMLLabelElement} */ (before).control === first) && /\p{L}/u.test(words) && words.length <= 40 && !matches(before, FIELDS) && !queryAll(before, FIELDS).length ? words : '';
    }
    const around = parentElement(at);
    if (!around || /^(form|main|body|section)$/.test(localName(around))) return '';
    at = around;
  }
  return '';
}

/** @param {FoundField} field @param {Element} element */
function addChoice(field, element) {
  if (field.choices.length >= MOST_CHOICES) return;
  const label = fieldLabel(element);
  const name = label.replace(/\s*\([\d.,]+\s*[kKmM]?\+?\)$/, '') || label; // a count changes
  field.choices.push({name, element});
  if (!/** @type {HTMLInputElement} */ (element).checked) return;
  field.value = field.how === 'checks' && field.value ? `${field.value}\n${name}` : name;
  field.required = false;
}

/** @param {Element} element @param {string} type of an input @param {boolean} grouped one of several that are chosen among @returns {FoundField | null} */
function fieldFrom(element, type, grouped) {
  const role = roleOf(element);
  const input = localName(element) === 'input' ? /** @type {HTMLInputElement} */ (element) : null;
  /** @type {FoundField} */
  const field = {
    name: '', label: fieldLabel(element), type: 'string', format: '', value: '', description: fieldHint(element),
    required: hasAttr(element, 'required') || token(element, 'aria-required') === 'true' || /[*✱]\s*$/.test(nameOf(element)),
    choices: [], how: 'fill', element, input,
  };
  if (grouped) {
    field.how = type === 'radio' ? 'radio' : 'checks';
    field.type = type === 'radio' ? 'string' : 'array';
    field.label = groupTitle(element) || wordsBefore(element) || fieldLabelOfName(element);
    field.description = '';
    addChoice(field, element);
    return field;
  }
  if (role === 'checkbox' || role === 'switch' || type === 'checkbox') {
    field.type = 'boolean';
    field.how = 'check';
    field.value = checkedState(element, role) === 'true' ? 'true' : 'false';
    field.required = field.required && field.value !== 'true'; // one that is checked may stay so
    return field;
  }
  if (localName(element) === 'select') return selectField(field, /** @type {HTMLSelectElement} */ (element));
  if (role === 'combobox' && (!input || hasAttr(element, 'readonly')) && localName(element) !== 'textarea' || role === 'listbox') return widgetField(field, element);
  if (type === 'number' || type === 'range' || role === 'spinbutton' || role === 'slider') {
    const step = input ? attr(input, 'step') : null;
    const whole = (!step || /^\d+$/.test(step)) && Number.isInteger(Number(attr(element, 'min') ?? 0));
    field.type = whole && input ? 'integer' : 'number';
  }
  const shape = INPUT_SHAPES[type];
  if (shape) {
    field.format = shape[0];
    if (shape[2] && !field.description) field.description = shape[2];
  }
  const list = input && hasAttr(input, 'list') ? idrefs(input, 'list')[0] : undefined;
  if (list && localName(list) === 'datalist') {
    const some = Array.from(queryAll(list, 'option')).slice(0, 8).map((option) => collapse(/** @type {HTMLOptionElement} */ (option).value)).filter(Boolean);
    if (some.length) field.description = brief([field.description, 'such as ' + some.join(', ')].filter(Boolean).join('; '), 160);
  } else if (role === 'combobox') {
    field.how = 'suggest';
  }
  field.value = isPrivate(element) ? '' : type === 'color' ? /** @type {HTMLInputElement} */ (element).value : valueOf(element, role) || (editingHost(element) ? collapse(textContent(element)) : '');
  const empty = isPrivate(element) ? !/** @type {HTMLInputElement} */ (element).value : !field.value;
  field.required = field.required && empty;
  return field;
}

/** The name attribute in words, of controls that have no label together. @param {Element} element */
function fieldLabelOfName(element) {
  const name = attr(element, 'name') ?? '';
  if (/[:«»]|^_?r_?\d|^\d|[0-9a-f]{8}/i.test(name)) return 'Choice'; // a machine made it
  return brief(name.replace(/\[\]$/, '').replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_.-]+/g, ' ').trim(), 60);
}

/** What the page says of a field beside its name. @param {Element} element */
function fieldHint(element) {
  const words = idrefs(element, 'aria-describedby').filter(rendered).map((hint) => collapse(textContent(hint))).filter(Boolean);
  const placeholder = collapse(attr(element, 'placeholder') ?? attr(element, 'aria-placeholder') ?? '');
  if (placeholder && placeholder !== nameOf(element)) words.push(placeholder);
  const title = collapse(attr(element, 'title') ?? '');
  if (!words.length && title && title !== nameOf(element)) words.push(title);
  return brief(words.join('; '), 160);
}

/** @param {FoundField} field @param {HTMLSelectElement} select */
function selectField(field, select) {
  field.how = 'select';
  field.type = select.multiple ? 'array' : 'string';
  const chosen = [];
  for (const option of Array.from(select.options)) {
    const name = wellFormed(collapse(option.label || option.text));
    // What asks to choose is no choice.
    const asks = option.value === '' && (select.required || ASKS.test(name));
    if (asks || matches(option, ':disabled')) continue;
    if (option.selected) chosen.push(name);
    if (field.choices.length < MOST_CHOICES) field.choices.push({name, element: option});
  }
  field.value = chosen.join('\n');
  field.required = field.required && !chosen.length;
  return field;
}

/** A list of the page's own making: its options may only be there when it is open. @param {FoundField} field @param {Element} element */
function widgetField(field, element) {
  field.how = 'widget';
  const lists = roleOf(element) === 'listbox' ? [element] : [...idrefs(element, 'aria-controls'), ...idrefs(element, 'aria-owns')];
  for (const list of lists) {
    for (const option of queryAll(list, '[role="option"]')) {
      if (field.choices.length < MOST_CHOICES) field.choices.push({name: wellFormed(nameOf(option) || collapse(textContent(option))), element: option});
    }
  }
  if (token(element, 'aria-multiselectable') === 'true') field.type = 'array';
  const chosen = field.choices.filter((choice) => ariaState(choice.element, 'aria-selected') === 'true').map((choice) => choice.name);
  const shown = roleOf(element) === 'combobox' ? collapse(textContent(element)) : '';
  field.value = chosen.join('\n') || (field.choices.some((choice) => choice.name === shown) ? shown : '');
  field.required = field.required && !field.value;
  return field;
}

/** A field as it is told. @param {FoundField} field @returns {OfferedField} */
export function offeredField(field) {
  /** @type {OfferedField} */
  const out = {name: field.name, label: field.label, type: field.type, ref: refOf(field.element)};
  if (field.format) out.format = field.format;
  if (field.value) out.default = brief(field.value, 200);
  if (field.description) out.description = field.description;
  if (field.required) out.required = true;
  if (field.type === 'array') out.multiple = true;
  if (field.choices.length) out.options = Array.from(new Set(field.choices.map((choice) => choice.name)));
  const element = field.element;
  if (field.type === 'number' || field.type === 'integer') {
    for (const [bound, native] of /** @type {const} */ ([['min', 'min'], ['max', 'max'], ['step', 'step']])) {
      const written = attr(element, native) ?? attr(element, 'aria-value' + native);
      const value = written === null || written === '' ? NaN : Number(written);
      if (Number.isFinite(value) && !(bound === 'step' && value === 1)) out[bound] = value;
    }
    const ranged = localName(element) === 'input' && token(element, 'type') === 'range';
    if (ranged) [out.min, out.max] = [out.min ?? 0, out.max ?? 100];
  } else if (field.input && INPUT_SHAPES[field.input.type] && /^(date|time|datetime-local|month|week)$/.test(field.input.type)) {
    const from = attr(element, 'min');
    const to = attr(element, 'max');
    const span = from && to ? `${from} to ${to}` : from ? `from ${from}` : to ? `until ${to}` : '';
    if (span) out.description = brief([out.description, span].filter(Boolean).join('; '), 160);
  }
  if (field.how !== 'fill' && field.how !== 'suggest') return out;
  const least = Number(attr(element, 'minlength') ?? 0);
  const most = Number(attr(element, 'maxlength') ?? 0);
  if (least > 0) out.minLength = least;
  if (most > 0 && most < 100_000) out.maxLength = most;
  const pattern = INPUT_SHAPES[field.input?.type ?? '']?.[1] || attr(element, 'pattern');
  if (pattern && field.type === 'string' && pattern.length <= 200) out.pattern = pattern;
  return out;
}
