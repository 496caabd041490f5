import type { ComponentChildren } from 'preact'
import '../../styles/first-run.css'
import { firstSteps, isFirstRun, type Step, type StepName, skip } from '../../model/account/first-run.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { closeDialog, openPopover } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { rich } from '../parts/rich.tsx'
import { SessionProvider, useSession } from '../session-context.ts'
import { openInvite } from '../settings/invite.tsx'

const words: Readonly<Record<StepName, readonly [title: string, text: string]>> = {
  name: [pageTexts.firstRun.name, pageTexts.firstRun.nameText],
  logo: [pageTexts.firstRun.logo, pageTexts.firstRun.logoText],
  invite: [pageTexts.firstRun.invite, pageTexts.firstRun.inviteText],
  channels: [pageTexts.firstRun.channels, pageTexts.firstRun.channelsText],
  import: [pageTexts.firstRun.import, pageTexts.firstRun.importText],
  mail: [pageTexts.firstRun.mail, pageTexts.firstRun.mailText],
}
const addresses: Partial<Readonly<Record<StepName, string>>> = {
  name: '#settings/organization',
  logo: '#settings/organization',
  channels: '#streams',
  import: '#settings/imports',
}

/** What an owner does first, with what is done. */
export function FirstSteps() {
  const session = useSession()
  if (!isFirstRun(session)) return null
  return (
    <ol class="first-steps">
      {firstSteps(session).value.map((step) => (
        <StepRow key={step.name} {...step} />
      ))}
    </ol>
  )
}

function StepRow({ name, isDone }: Step) {
  const session = useSession()
  const [title, text] = words[name]
  return (
    <li class={isDone ? 'done' : ''}>
      <span class="mark-of-step">{isDone && <Icon name="check" />}</span>
      <span class="step">
        <StepTitle name={name} isDone={isDone}>
          {title}
        </StepTitle>
        {isDone ? (
          <span class="hidden">{pageTexts.firstRun.done}</span>
        ) : (
          <span class="quiet small">{rich(text, { code: (inside) => <code>{inside}</code> })}</span>
        )}
      </span>
      {!isDone && (
        <button type="button" aria-label={pageTexts.firstRun.skipName(title)} onClick={() => skip(session, name)}>
          {pageTexts.firstRun.skip}
        </button>
      )}
    </li>
  )
}

/** Leads to where the step is done. */
function StepTitle({ name, isDone, children }: Step & { children: ComponentChildren }) {
  const session = useSession()
  const address = addresses[name]
  if (isDone) return <s>{children}</s>
  if (address) return <a href={address}>{children}</a>
  if (name !== 'invite') return <strong>{children}</strong>
  return (
    <button type="button" class="link" onClick={() => openInvite(session)}>
      {children}
    </button>
  )
}

/** The progress of the first steps, which opens them. Gone when all are done or the list is hidden. */
export function FirstRun() {
  const session = useSession()
  if (!isFirstRun(session)) return null
  const steps = firstSteps(session).value
  const done = steps.filter(({ isDone }) => isDone).length
  const open = () =>
    openPopover(
      pageTexts.firstRun.title,
      <SessionProvider value={session}>
        <FirstSteps />
        <footer>
          <button
            type="button"
            onClick={() => {
              closeDialog()
              skip(session)
            }}
          >
            {pageTexts.firstRun.dismiss}
          </button>
        </footer>
      </SessionProvider>,
    )
  const progress = pageTexts.firstRun.progress(done, steps.length)
  return (
    <button type="button" class="row first-run" onClick={open}>
      <span class="name">
        {pageTexts.firstRun.title}
        <span class="quiet small">{progress}</span>
      </span>
      <progress value={done} max={steps.length} aria-label={progress} />
    </button>
  )
}
