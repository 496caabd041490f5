import { useSignal, useSignalEffect } from '@preact/signals'
import type { Part } from '../../model/state/parts.ts'
import { reasonOf } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'

/**
 * What the server answers, asked again whenever one of the parts of the state changes.
 *
 * @example
 * const invites = useAnswer((client) => client.listInvites(), 'invitations')
 */
export function useAnswer<T>(ask: (client: ReturnType<typeof useSession>['client']) => Promise<T>, ...parts: Part[]) {
  const session = useSession()
  const answer = useSignal<T | undefined>(undefined)
  const problem = useSignal('')
  const load = async () => {
    try {
      answer.value = await ask(session.client)
      problem.value = ''
    } catch (error) {
      problem.value = reasonOf(error)
    }
  }
  useSignalEffect(() => {
    session.read(...parts)
    void load()
  })
  return { answer, problem, load }
}
