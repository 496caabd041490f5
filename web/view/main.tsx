import { render } from 'preact'
import '../styles/index.css'
import { current, sentSince } from '../model/account/account.ts'
import { isFirstViewDrawn } from '../model/state/first-draw.ts'
import { beginLanguage } from '../model/state/language.ts'
import { startWorker } from '../model/state/worker.ts'
import { loadRest } from '../texts/spoken.ts'
import { App } from './app.tsx'
import { followHomeView } from './parts/home-view.ts'
import { followLanguage } from './parts/language.ts'
import { followAppearance, showKeptTheme } from './parts/theme.ts'

/** How long a first frame of stored data waits for newer messages, because drawing twice takes longer. */
const AT_ONCE_MS = 30

const language = beginLanguage()
showKeptTheme()
followAppearance()
followLanguage()
followHomeView()
// The model's requests start before the page is drawn, and quick responses are in the first frame.
const atOnce = Promise.race([sentSince(), new Promise((resolve) => setTimeout(resolve, AT_ONCE_MS))])
// Not a top-level await, because the files of a language import this one, and would wait for it.
// Without a stored screen, the page is drawn in a turn of its own, since evaluating the script takes long enough.
void Promise.all([language, atOnce]).then(() => (current.peek().isReady.peek() ? start() : setTimeout(start)))

function start(): void {
  render(<App />, document.getElementById('app')!)
}
// On a first visit, the worker compiles the page's script once more, to keep the result.
isFirstViewDrawn.subscribe((isDrawn) => {
  if (!isDrawn) return
  startWorker()
  void loadRest()
})
