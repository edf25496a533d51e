// What agents wait for the person to decide, in the panel and the popup.

import { at, make, rows, siteName } from './page.js';
import { text } from './words.js';

/** @typedef {import('./panel.js').View} View */
/** @typedef {import('./panel.js').Wish} Wish */

/** @type {import('./sites.js').Choice[]} */
const choices = ['once', 'always', 'no'];

/**
 * @param {View} view
 * @param {(wish: Wish) => void} ask
 */
export function showQuestions({ questions }, ask) {
  at('asking').hidden = questions.length === 0;
  rows(at('questions'), questions, ({ id }) => id, ({ id, site, agent }) => {
    const row = make('li', 'card question');
    const what = make('p', '', text('question', agent || text('somebody'), siteName(site)));
    what.id = `question-${id}`;
    const acts = make('div', 'acts');
    acts.setAttribute('role', 'group');
    acts.setAttribute('aria-labelledby', what.id);
    for (const choice of choices) {
      const press = make('button', choice === 'once' ? 'main' : '', text(choice));
      press.onclick = () => ask({ ask: 'answer', id, choice });
      acts.append(press);
    }
    row.append(what, make('p', 'kind', text('question_means')), acts);
    return row;
  }, () => {});
}
