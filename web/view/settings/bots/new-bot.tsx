import { useSignal } from '@preact/signals'
import { isolated } from '../../../model/state/isolated.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { openCopyDialog } from '../../parts/copy-dialog.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'
import { botKinds, INCOMING, interfaces, OUTGOING } from './bot-kinds.ts'

interface NewBotProps {
  /** Whether only bots that can't read may be created. */
  onlyWriting: boolean
  onDone(): void
}

/** A form that creates a bot and shows its key. */
export function NewBot({ onlyWriting, onDone }: NewBotProps) {
  const session = useSession()
  const type = useSignal<number>(onlyWriting ? INCOMING : 1)
  const offered = onlyWriting ? botKinds.filter(([kind]) => kind === INCOMING) : botKinds
  const create = async (data: FormData) => {
    const full_name = textIn(data, 'full_name')
    const { api_key } = await session.client.createBot({
      full_name,
      short_name: textIn(data, 'short_name'),
      bot_type: type.value,
      ...(type.value === OUTGOING && {
        payload_url: textIn(data, 'payload_url'),
        interface_type: Number(data.get('interface_type')),
      }),
    })
    onDone()
    showKey(full_name, api_key)
  }
  return (
    <ActionForm action={pageTexts.bots.create} run={create} onCancel={onDone}>
      <label>
        {pageTexts.common.name}
        <input name="full_name" required maxLength={100} autocomplete="off" />
      </label>
      <label>
        {pageTexts.bots.address}
        <input
          name="short_name"
          required
          maxLength={50}
          autocomplete="off"
          pattern="[A-Za-z0-9._\-]+"
          placeholder={pageTexts.bots.addressExample}
        />
        <span class="quiet small">{pageTexts.bots.addressHelp(session.state.realm_bot_domain)}</span>
      </label>
      <label>
        {pageTexts.common.kind}
        <select value={String(type.value)} onChange={(event) => (type.value = Number(event.currentTarget.value))}>
          {offered.map(([kind, label]) => (
            <option key={kind} value={String(kind)}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {type.value === OUTGOING && (
        <>
          <label>
            {pageTexts.bots.endpoint}
            <input
              name="payload_url"
              type="url"
              required
              maxLength={2000}
              placeholder={pageTexts.bots.endpointExample}
            />
          </label>
          <label>
            {pageTexts.bots.format}
            <select name="interface_type">
              {interfaces.map(([value, label]) => (
                <option key={value} value={String(value)}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        </>
      )}
    </ActionForm>
  )
}

/** Shows a bot's key, the only time it is visible. */
export const showKey = (name: string, api_key: string): void =>
  openCopyDialog(pageTexts.bots.keyTitle(isolated(name)), pageTexts.bots.keyText, [
    { label: pageTexts.bots.apiKey, value: api_key },
  ])
