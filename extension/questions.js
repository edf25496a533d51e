// What agents and programs wait for the person to decide, in the panel and the popup.

import { at, make, rows, siteName } from './page.js';
import { text } from './words.js';

/** @typedef {import('./panel.js').View} View */
/** @typedef {import('./panel.js').Wish} Wish */

/**
 * What a question says, what it means, and its answers.
 * @param {import('./asked.js').Question} question
 * @returns {{what: string, means: string, choices: [import('./sites.js').Choice, string][]}}
 */
export function wording({ site, agent, deed, port = 0 }) {
  if (site) {
    return { what: text('question', agent || text('somebody'), siteName(site)), means: text('question_means'), choices: [['once', text('once')], ['always', text('always')], ['no', text('no')]] };
  }
  if (deed !== undefined) return { what: text('question_deed', agent || text('somebody')), means: deed, choices: [['once', text('allow')], ['no', text('no')]] };
  const means = agent ? text('question_program_means', port, agent) : text('question_nameless_means', port);
  return { what: text('question_program'), means, choices: [['once', text('allow')], ['no', text('no')]] };
}

/**
 * @param {View} view
 * @param {(wish: Wish) => void} ask
 */
export function showQuestions({ questions }, ask) {
  at('asking').hidden = questions.length === 0;
  rows(at('questions'), questions, ({ id }) => id, (question) => {
    const { what, means, choices } = wording(question);
    const row = make('li', 'card question');
    const title = make('p', '', what);
    title.id = `question-${question.id}`;
    const acts = make('div', 'acts');
    acts.setAttribute('role', 'group');
    acts.setAttribute('aria-labelledby', title.id);
    for (const [choice, word] of choices) {
      const press = make('button', choice === 'once' ? 'main' : '', word);
      press.onclick = () => ask({ ask: 'answer', id: question.id, choice });
      acts.append(press);
    }
    row.append(title, make('p', 'kind', means), acts);
    return row;
  }, () => {});
}
