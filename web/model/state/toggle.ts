import { perSession, type Session } from './session.ts'

interface Choice {
  isOn: boolean
  /** Settles with the answer of the server. */
  sent: Promise<unknown>
}

/** What was chosen and is not in the state yet, by what it is about. */
const choices = perSession(() => new Map<string, Choice>())

/**
 * Turns something on or off: the other of what it is, or of what was chosen last. The state follows only by an event, and a
 * second press that went by the state would ask for the same again. Requests go out one after the other, so that the last
 * press wins. Answers whether it is on then.
 */
export async function toggle(
  session: Session,
  name: string,
  isOn: () => boolean,
  set: (isOn: boolean) => Promise<unknown>,
): Promise<boolean> {
  const known = choices(session)
  const last = known.get(name)
  const next = !(last?.isOn ?? isOn())
  const before = last?.sent.catch(() => {}) ?? Promise.resolve()
  const choice: Choice = { isOn: next, sent: before.then(() => set(next)) }
  known.set(name, choice)
  const forget = () => known.get(name) === choice && known.delete(name)
  choice.sent.then(() => stateHas(session, () => isOn() === next)).then(forget, forget)
  await choice.sent
  return next
}

/** Waits for the event that brings what was chosen; another may have come in the same answer, and taken it back. */
const stateHas = ({ live }: Session, isSo: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    if (isSo()) return resolve()
    const done = () => {
      end()
      resolve()
    }
    const end = live.onChange(() => isSo() && done())
    void live.caughtUp().then(done)
  })
