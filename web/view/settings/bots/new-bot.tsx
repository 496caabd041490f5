import { useSignal } from '@preact/signals'
import { showToCopy } from '../../parts/show-to-copy.tsx'
import { said } from '../../said.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'
import { botKinds, INCOMING, interfaces, OUTGOING } from './bot-kinds.ts'

interface NewBotProps {
  /** Whether only bots that cannot read may be made. */
  onlyWriting: boolean
  onDone(): void
}

/** A form that makes a bot, and then shows its key. */
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
    <ActionForm action="Create bot" run={create} onCancel={onDone}>
      <label>
        Name
        <input name="full_name" required maxLength={100} autocomplete="off" />
      </label>
      <label>
        Address
        <input
          name="short_name"
          required
          maxLength={50}
          autocomplete="off"
          pattern="[A-Za-z0-9._\-]+"
          placeholder="builds"
        />
        <span class="quiet small">
          With “-bot@{session.state.realm_bot_domain}” after it: letters, digits, dots and dashes.
        </span>
      </label>
      <label>
        What it is for
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
            Web address that the server posts to
            <input name="payload_url" type="url" required maxLength={2000} placeholder="https://example.com/hook" />
          </label>
          <label>
            What it posts
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

/** Shows a key of a bot, the only time that there is one to be seen. */
export const showKey = (name: string, api_key: string): void =>
  showToCopy(
    said`The key of ${name}`,
    'The key is shown this once, and a program that has it acts as the bot. Keep it where the program finds it.',
    [{ label: 'API key', value: api_key }],
  )
