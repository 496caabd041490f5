import { useSignal } from '@preact/signals'
import { useSession } from '../session-context.ts'
import { CheckField } from './field.tsx'
import { PushField } from './push-field.tsx'

const fields = [
  ['enable_desktop_notifications', 'Direct messages and mentions', 'What is written to you, or mentions you.'],
  ['pm_content_in_desktop_notifications', 'With the text of direct messages', 'Otherwise only that there is one.'],
  ['enable_followed_topic_desktop_notifications', 'Followed topics', 'Everything in topics that you follow.'],
  ['enable_stream_desktop_notifications', 'Streams', 'Everything in your streams, unless one has its own setting.'],
] as const

/** What the browser shows while one looks elsewhere. */
export function Notifications() {
  const session = useSession()
  const settings = session.read('settings').user_settings
  const permission = useSignal('Notification' in globalThis ? Notification.permission : 'denied')
  const ask = async () => {
    permission.value = await Notification.requestPermission()
  }
  return (
    <>
      {permission.value === 'default' && (
        <p class="field">
          This browser has not been asked yet whether it may show notifications.{' '}
          <button type="button" onClick={() => void ask()}>
            Ask
          </button>
        </p>
      )}
      {permission.value === 'denied' && (
        <p class="quiet">This browser shows no notifications of this page. Its own settings can allow them.</p>
      )}
      {fields.map(([name, label, about]) => (
        <CheckField
          key={name}
          label={label}
          about={about}
          value={settings[name]}
          save={(value) => session.client.updateSettings({ [name]: value })}
        />
      ))}
      <PushField />
    </>
  )
}
