import { computed, effect, signal } from '@preact/signals'
import { defaultDescription } from '../../../src/client/index.ts'
import { storedName } from '../here.ts'
import { browserStorage } from '../persistence/browser-storage.ts'
import { isAlone } from '../reading/people.ts'
import { perSession, type Session } from '../state/session.ts'
import { organization, readOrganization } from './organization.ts'

const steps = ['name', 'logo', 'invite', 'channels', 'import', 'mail'] as const
export type StepName = (typeof steps)[number]

export interface Step {
  name: StepName
  isDone: boolean
}

const STORED = storedName('first-run')
/** Stored when the whole list is hidden. */
const ALL = 'all'

/** Steps that were skipped in this browser. */
const skipped = perSession(() => signal((browserStorage().getItem(STORED) ?? '').split(' ').filter(Boolean)))

/** Counts a step as done, or hides the list if no step is given. */
export function skip(session: Session, step: StepName | typeof ALL = ALL): void {
  const known = skipped(session)
  known.value = [...known.value, step]
  browserStorage().setItem(STORED, known.value.join(' '))
}

/** Whether anybody is invited. Asked again when invitations change. */
const hasInvited = perSession((session) => {
  const isKnown = signal(false)
  const ask = async () => {
    try {
      const { invites } = await session.client.listInvites({})
      if (invites.length > 0) isKnown.value = true
    } catch {
      // The step remains open.
    }
  }
  effect(() => {
    void session.read('invitations')
    void ask()
  })
  return isKnown
})

/** The first steps of an organization's owner. */
export const firstSteps = perSession((session) => {
  void readOrganization()
  return computed((): readonly Step[] => {
    const state = session.read('organization', 'streams')
    const done: Readonly<Record<StepName, boolean>> = {
      name: !['', defaultDescription].includes(state.realm_description),
      logo: state.realm_icon_source === 'U' || state.realm_logo_source === 'U',
      invite: (session.isPeopleKnown.value && !isAlone(session)) || hasInvited(session).value,
      channels: state.streams.filter(({ is_archived }) => !is_archived).length > 1,
      // The server doesn't tell clients about imports.
      import: false,
      mail: organization.value.sendsEmail,
    }
    return steps.map((name) => ({ name, isDone: done[name] || skipped(session).value.includes(name) }))
  })
})

/** Whether something is left to do, and the list isn't hidden. */
export const isFirstRun = (session: Session): boolean =>
  !skipped(session).value.includes(ALL) && firstSteps(session).value.some(({ isDone }) => !isDone)
