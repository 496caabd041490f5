import { render } from 'preact'
import '../styles/index.css'
import { sentSince } from '../model/state/account.ts'
import { noteFirstFrame } from '../model/state/first-draw.ts'
import { startWorker } from '../model/state/worker.ts'
import { App } from './app.tsx'
import { followHomeView } from './parts/home-view.ts'
import { followLanguage } from './parts/language.ts'
import { followAppearance, showKeptTheme } from './parts/theme.ts'

/** How long a first frame of stored data waits for newer messages, because drawing twice takes longer. */
const AT_ONCE_MS = 30

showKeptTheme()
followAppearance()
followLanguage()
followHomeView()
// The model's requests start before the page is drawn, and quick responses are in the first frame.
await Promise.race([sentSince(), new Promise((resolve) => setTimeout(resolve, AT_ONCE_MS))])
render(<App />, document.getElementById('app')!)
noteFirstFrame(sentSince())
startWorker()
