import { render } from 'preact'
import '../styles/index.css'
import { sentSince } from '../model/state/account.ts'
import { noteFirstFrame } from '../model/state/first-draw.ts'
import { startWorker } from '../model/state/worker.ts'
import { App } from './app.tsx'
import { followHomeView } from './parts/home-view.ts'
import { followLanguage } from './parts/language.ts'
import { followAppearance, showKeptTheme } from './parts/theme.ts'

/** So long a first frame of what was kept waits for what was sent since: to draw twice takes longer. */
const AT_ONCE_MS = 30

showKeptTheme()
followAppearance()
followLanguage()
followHomeView()
// What the model asks of the server goes out before the page is drawn, and what is answered at once is in the first frame.
await Promise.race([sentSince(), new Promise((resolve) => setTimeout(resolve, AT_ONCE_MS))])
render(<App />, document.getElementById('app')!)
noteFirstFrame(sentSince())
startWorker()
