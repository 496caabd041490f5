import { useSignal } from '@preact/signals'
import type { Session } from '../../../model/state/session.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'
import { FormField } from '../form-field.tsx'
import { passwordIn } from '../own/confirmation.tsx'
import { confirmWithProof, OwnConfirmation } from '../own/own-confirmation.tsx'

const HOST_EXAMPLE = 'mail.example.com'
const SENDER_EXAMPLE = 'Chat <chat@example.com>'

export type Outbox = Awaited<ReturnType<Session['client']['listMail']>>
type Server = NonNullable<Outbox['server']>
type Security = Server['security']

const PORTS: Readonly<Record<Security, number>> = { starttls: 587, tls: 465, none: 25 }
const NAMES: Readonly<Record<Security, () => string>> = {
  starttls: () => 'STARTTLS',
  tls: () => 'TLS',
  none: () => pageTexts.common.none,
}

/** The mail server that owners set up, or why they can't. */
export function MailServer({ outbox, onChanged }: { outbox: Outbox; onChanged(): Promise<void> }) {
  const { server_lock: lock, server } = outbox
  const isOpen = useSignal(false)
  if (lock !== null) return <p class="quiet">{pageTexts.mailServer.locks[lock]}</p>
  if (!server && !isOpen.value)
    return (
      <p class="buttons">
        <button type="button" onClick={() => (isOpen.value = true)}>
          {pageTexts.mailServer.setUp}
        </button>
      </p>
    )
  return (
    <>
      <h3>{pageTexts.auditThings.mail_server}</h3>
      {server && !isOpen.value ? (
        <Summary server={server} edit={() => (isOpen.value = true)} onChanged={onChanged} />
      ) : (
        <ServerForm server={server} close={() => (isOpen.value = false)} onChanged={onChanged} />
      )}
    </>
  )
}

interface SummaryProps {
  server: Server
  edit(): void
  onChanged(): Promise<void>
}

function Summary({ server: { host, port, security, from, lost_password }, edit, onChanged }: SummaryProps) {
  const { client } = useSession()
  const remove = () =>
    confirmWithProof(client, {
      title: pageTexts.mailServer.removeTitle,
      text: pageTexts.mailServer.removeText,
      action: pageTexts.common.remove,
      run: async (account_password) => {
        await client.removeMailServer({ account_password })
        await onChanged()
      },
    })
  return (
    <>
      <p>
        {`${host}:${port} (${NAMES[security]()})`}
        <br />
        <span class="quiet small">{`${pageTexts.mailServer.sender}: ${from}`}</span>
      </p>
      {lost_password && <p class="problem">{pageTexts.mailServer.lostPassword}</p>}
      <p class="buttons">
        <button type="button" onClick={edit}>
          {pageTexts.common.edit}
        </button>
        <button type="button" onClick={remove}>
          {pageTexts.common.remove}
        </button>
      </p>
    </>
  )
}

interface FormProps {
  server: Server | null
  close(): void
  onChanged(): Promise<void>
}

function ServerForm({ server, close, onChanged }: FormProps) {
  const { client } = useSession()
  const save = async (data: FormData) => {
    const password = String(data.get('password') ?? '')
    await client.setMailServer({
      host: textIn(data, 'host'),
      port: Number(textIn(data, 'port')),
      security: textIn(data, 'security') as Security,
      user: textIn(data, 'user'),
      from: textIn(data, 'from'),
      ...(password !== '' && { password }),
      account_password: passwordIn(data),
    })
    await onChanged()
    close()
  }
  /** The usual port of an encryption, unless another one was entered. */
  const suggestPort = (security: string, form: HTMLFormElement) => {
    const port = form.elements.namedItem('port') as HTMLInputElement
    if (port.value === '' || Object.values(PORTS).includes(Number(port.value)))
      port.value = String(PORTS[security as Security])
  }
  const { host, port = PORTS.starttls, security = 'starttls', user, from } = server ?? {}
  const securities = [security, ...(Object.keys(PORTS) as Security[]).filter((one) => one !== security)]
  return (
    <ActionForm action={texts.common.save} run={save} onCancel={close} keep>
      <FormField
        name="host"
        label={pageTexts.mailServer.host}
        required
        maxLength={253}
        placeholder={HOST_EXAMPLE}
        defaultValue={host}
        spellcheck={false}
      />
      <FormField
        name="security"
        label={pageTexts.mailServer.security}
        options={securities.map((one) => [one, NAMES[one]()] as const)}
        onChoose={suggestPort}
      />
      <FormField
        name="port"
        label={pageTexts.mailServer.port}
        required
        maxLength={5}
        pattern="[0-9]+"
        defaultValue={String(port)}
      />
      <FormField
        name="user"
        label={pageTexts.mailServer.user}
        maxLength={320}
        defaultValue={user ?? ''}
        spellcheck={false}
      />
      <FormField
        name="password"
        label={pageTexts.auditThings.password}
        {...(server?.has_password && { about: pageTexts.mailServer.passwordStays })}
        type="password"
        autocomplete="new-password"
      />
      <FormField
        name="from"
        label={pageTexts.mailServer.sender}
        about={pageTexts.mailServer.senderHelp}
        required
        placeholder={SENDER_EXAMPLE}
        defaultValue={from}
      />
      <OwnConfirmation />
    </ActionForm>
  )
}
