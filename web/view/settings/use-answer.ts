import { useSignal, useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { Part } from '../../model/state/state-parts.ts'
import { reasonOf } from '../parts/notices.tsx'
import '../parts/problem-words.ts'
import { useSession } from '../session-context.ts'

/** Returns a response of the server, fetched again whenever one of these parts of the state changes. */
export function useAnswer<T>(ask: (client: ReturnType<typeof useSession>['client']) => Promise<T>, ...parts: Part[]) {
  const session = useSession()
  const answer = useSignal<T | undefined>(undefined)
  const problem = useSignal('')
  const asked = useRef(0)
  const load = async () => {
    asked.current += 1
    const turn = asked.current
    // A response is out of date if a later one came first.
    const isLast = () => turn === asked.current
    try {
      const latest = await ask(session.client)
      if (!isLast()) return
      answer.value = latest
      problem.value = ''
    } catch (error) {
      if (isLast()) problem.value = reasonOf(error)
    }
  }
  useSignalEffect(() => {
    session.read(...parts)
    void load()
  })
  return { answer, problem, load }
}
