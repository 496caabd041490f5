import { type Signal, signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { isChatError } from '../../../src/client/index.ts'
import { inLanguage } from '../../model/state/language.ts'
import { wording } from '../../model/state/wording.ts'
import { texts } from '../../texts/texts.ts'

/** What can be done about it. */
interface Offer {
  label: string
  run(): void
}

interface Notice {
  text: ComponentChildren
  offer: Offer | undefined
  isProblem: boolean
}

const notices = signal<readonly Notice[]>([])
const SHOWN_MS = 6000
/** With something to decide. */
const OFFERED_MS = 12_000

const remove = (notice: Notice) => {
  notices.value = notices.value.filter((one) => one !== notice)
}

/** Says a sentence for a while. */
export function notify(text: ComponentChildren, offer?: Offer): void {
  show({ text, offer, isProblem: false })
}

function show(notice: Notice): void {
  // A notice that is already shown is announced again instead of shown twice.
  const others = notices.value.filter((one) => one.text !== notice.text || one.offer !== undefined)
  notices.value = [...others, notice]
  setTimeout(() => remove(notice), notice.offer ? OFFERED_MS : SHOWN_MS)
}

/** Does something; where that fails, says why. */
export function attempt(work: () => Promise<unknown>): void {
  work().catch(async (error: unknown) => show({ text: await reasonFor(error), offer: undefined, isProblem: true }))
}

/** Returns why something failed, once the words for it are loaded. */
export async function reasonFor(error: unknown): Promise<string> {
  if (isChatError(error)) await inLanguage(() => import('./problem-words.ts')).catch(() => {})
  return reasonOf(error)
}

/** Returns why something failed, as a sentence. */
export function reasonOf(error: unknown): string {
  if (isChatError(error) && error.code === 'EXPECTATION_MISMATCH') return texts.problems.conflict
  if (isChatError(error))
    return wording.of?.(error) ?? (/[.?!]$/.test(error.message) ? error.message : `${error.message}.`)
  if (error instanceof Error && error.name === 'ConnectionError') return texts.problems.unreachable
  return error instanceof Error ? error.message : String(error)
}

/** The place of an error in a form. It exists from the start, so that screen readers announce what appears in it. */
export const Problem = ({ of }: { of: Signal<string> }) => (
  <p class="problem" role="alert">
    {of.value}
  </p>
)

export function Notices() {
  return (
    <div class="notices">
      <Spoken role="status" of={notices.value.filter(({ isProblem }) => !isProblem)} />
      <Spoken role="alert" of={notices.value.filter(({ isProblem }) => isProblem)} />
    </div>
  )
}

/** Notices that are announced in turn, or errors, which are announced immediately. */
const Spoken = ({ role, of }: { role: 'status' | 'alert'; of: readonly Notice[] }) => (
  <div role={role}>
    {of.map((notice) => (
      <p key={notice}>
        {notice.text}
        {notice.offer && (
          <button
            type="button"
            onClick={() => {
              remove(notice)
              notice.offer!.run()
            }}
          >
            {notice.offer.label}
          </button>
        )}
      </p>
    ))}
  </div>
)
