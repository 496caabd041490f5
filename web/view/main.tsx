import { render } from 'preact'
import '../styles/index.css'
import { startWorker } from '../model/state/worker.ts'
import { App } from './app.tsx'

render(<App />, document.getElementById('app')!)
startWorker()
