import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { attempt, Problem, reasonOf } from '../../parts/notices.tsx'
import { fullTime, longAgo } from '../../parts/times.ts'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'
import { wordsOf } from './audit-words.ts'
import { MailServer, type Outbox } from './mail-server.tsx'

type Mail = Outbox['mails'][number]
type State = Mail['state']

const states = ['queued', 'sending', 'sent', 'failed', 'dropped'] as const satisfies readonly State[]

/** The outbox of email, for owners: whether the mail server works, what waits and what failed. */
export function MailPage() {
  const { client } = useSession()
  const state = useSignal<State | ''>('')
  const outbox = useSignal<Outbox | undefined>(undefined)
  const problem = useSignal('')
  const load = async (before?: number) => {
    const asked = state.value
    try {
      const answer = await client.listMail({
        ...(asked !== '' && { state: asked }),
        ...(before !== undefined && { before }),
      })
      // A response is out of date if the filter has changed since.
      if (state.value !== asked) return
      const earlier = before === undefined ? [] : (outbox.value?.mails ?? [])
      outbox.value = { ...answer, mails: [...earlier, ...answer.mails] }
      problem.value = ''
    } catch (error) {
      if (state.value === asked) problem.value = reasonOf(error)
    }
  }
  useEffect(() => void load(), [state.value])
  const then = (act: () => Promise<unknown>) =>
    attempt(async () => {
      await act()
      await load()
    })
  const { mails = [], next = null, suppressed = [] } = outbox.value ?? {}
  return (
    <>
      <p class="quiet">{pageTexts.mail.intro}</p>
      <Connection outbox={outbox.value} />
      <Mailbox outbox={outbox.value} />
      {outbox.value && <MailServer outbox={outbox.value} onChanged={load} />}
      {outbox.value?.configured && <TestMail />}
      <h3>{pageTexts.mail.outbox}</h3>
      <p class="buttons">
        <label>
          {pageTexts.common.show}{' '}
          <select value={state.value} onChange={(event) => (state.value = event.currentTarget.value as State | '')}>
            <option value="">{pageTexts.mail.all}</option>
            {states.map((one) => (
              <option key={one} value={one}>
                {pageTexts.mail.states[one](outbox.value?.counts[one] ?? 0)}
              </option>
            ))}
          </select>
        </label>
        <button type="button" onClick={() => void load()}>
          {pageTexts.bots.refresh}
        </button>
      </p>
      <Problem of={problem} />
      <ul class="settings-list mails">
        {mails.map((mail) => (
          <Row
            key={mail.id}
            mail={mail}
            retry={() => then(() => client.retryMail({ mail_id: mail.id }))}
            drop={() => then(() => client.dropMail({ mail_id: mail.id }))}
          />
        ))}
      </ul>
      {outbox.value && mails.length === 0 && <p class="quiet">{pageTexts.mail.empty}</p>}
      {next !== null && (
        <button type="button" onClick={() => void load(next)}>
          {pageTexts.audit.more}
        </button>
      )}
      {suppressed.length > 0 && <h3>{pageTexts.mail.suppressed}</h3>}
      <ul class="settings-list suppressed">
        {suppressed.map(({ address, reason, since }) => (
          <li key={address}>
            <span class="name">
              {address}
              <span class="quiet small">{texts.common.labeled(longAgo(since), reason)}</span>
            </span>
            <button
              type="button"
              aria-label={pageTexts.mail.allowName(address)}
              onClick={() => then(() => client.allowMailTo({ address }))}
            >
              {pageTexts.mail.allow}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Whether the server sends email, and whether the mail server takes it. */
function Connection({ outbox }: { outbox: Outbox | undefined }) {
  if (!outbox) return null
  const { configured, server_lock, failure, failing_since, counts } = outbox
  if (!configured) return <p>{server_lock === null ? pageTexts.mailServer.off : pageTexts.mail.off}</p>
  if (failure === null) return <p>{pageTexts.mail.works}</p>
  return (
    <p class="problem">
      {pageTexts.mail.fails(fullTime(new Date((failing_since ?? 0) * 1000)), counts.queued)} {failure}
    </p>
  )
}

/** Why email can't be received from the mailbox. */
function Mailbox({ outbox }: { outbox: Outbox | undefined }) {
  const { mailbox_failure: failure = null, mailbox_failing_since: since } = outbox ?? {}
  if (failure === null) return null
  return (
    <p class="problem">
      {pageTexts.mailServer.mailboxFails(fullTime(new Date((since ?? 0) * 1000)))} {failure}
    </p>
  )
}

function TestMail() {
  const session = useSession()
  const reply = useSignal('')
  const send = async (data: FormData) => {
    reply.value = ''
    reply.value = pageTexts.mail.accepted((await session.client.testMail({ email: textIn(data, 'email') })).reply)
  }
  return (
    <ActionForm action={pageTexts.mail.sendTest} run={send} keep>
      <label>
        {pageTexts.mail.testTo}
        <input name="email" type="email" required defaultValue={session.state.delivery_email} />
      </label>
      <p role="status">{reply.value}</p>
    </ActionForm>
  )
}

const kindOf = (kind: string): string => pageTexts.mailKinds[kind as keyof typeof pageTexts.mailKinds] ?? wordsOf(kind)

/** Why it wasn't sent. The replies of mail servers are in their own language. */
const failureOf = ({ failure, failure_code }: Mail): string | null =>
  failure_code ? pageTexts.mailFailures[failure_code] : failure

function Row({ mail, retry, drop }: { mail: Mail; retry: () => void; drop: () => void }) {
  const { kind, address, state, created_at } = mail
  const failure = failureOf(mail)
  const name = texts.common.labeled(kindOf(kind), address ?? '')
  const waits = state === 'queued' || state === 'sending'
  return (
    <li>
      <span class="name">
        {name}
        <span class="quiet small">{`${pageTexts.mail.stateNames[state]}${texts.common.comma}${longAgo(created_at)}`}</span>
        {failure !== null && <span class={state === 'failed' ? 'problem small' : 'quiet small'}>{failure}</span>}
      </span>
      {(waits || state === 'failed') && (
        <button type="button" aria-label={pageTexts.mail.retryName(name)} onClick={retry}>
          {pageTexts.mail.retry}
        </button>
      )}
      {waits && (
        <button type="button" aria-label={pageTexts.mail.dropName(name)} onClick={drop}>
          {pageTexts.mail.drop}
        </button>
      )}
    </li>
  )
}
