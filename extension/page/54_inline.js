// Rows and items whose content is simple are told in one line: a table costs a third.

/** Between the cells of a row. */
const CELL_GAP = ' | ';

/**
 * What a row or an item holds, in one line; null where it holds more than a line can say.
 * @param {Line} line
 * @returns {string | null}
 */
function inlined(line) {
  const kids = line.kids.filter((kid) => typeof kid !== 'symbol');
  if (line.role === 'row') {
    /** @type {string[]} */
    const cells = [];
    const header = kids.every((kid) => typeof kid === 'object' && kid.role === 'columnheader');
    for (const kid of kids) {
      if (typeof kid !== 'object' || !CELLS.has(kid.role)) return null;
      const text = cellText(kid, header);
      if (text === null) return null;
      cells.push(text);
    }
    return cells.length ? cells.join(CELL_GAP) : null;
  }
  if (line.role !== 'listitem' || kids.length !== 1) return null;
  const [kid] = kids;
  return typeof kid === 'object' && !kid.kids.length && kid.role !== 'iframe' ? leafText(kid) : null;
}

/**
 * @param {Line} cell
 * @param {boolean} header the row says already that its cells are headers
 * @returns {string | null}
 */
function cellText(cell, header) {
  /** @type {string[]} */
  const parts = [];
  const plain = header || cell.role === 'cell' || cell.role === 'gridcell';
  if (!plain) parts.push(cell.role);
  const kids = cell.kids.filter((kid) => typeof kid !== 'symbol');
  if (cell.name && !cell.quiet && !(kids.length === 1 && kids[0] === cell.name)) parts.push(plain ? cell.name : quote(cell.name));
  for (const kid of kids) {
    if (typeof kid === 'string') parts.push(kid);
    else if (kid.kids.length || kid.role === 'iframe') return null;
    else parts.push(leafText(kid));
  }
  for (const state of cell.states) parts.push(`[${state}]`);
  if (cell.ref) parts.push(`[${refOf(cell.element, cell.role, cell.name)}]`);
  return parts.join(' ');
}

/** @param {Line} line one without children */
function leafText(line) {
  const head = lineHead(line, null).slice(2);
  return line.value ? `${head}: ${line.value}` : head;
}
