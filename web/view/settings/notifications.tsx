import { useSignal } from '@preact/signals'
import { listen } from '../../model/reading/notifications.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { PushField } from './own/push-field.tsx'
import { UserForm } from './user-form.tsx'

/** Desktop notifications and sounds. */
export function Notifications() {
  const permission = useSignal('Notification' in globalThis ? Notification.permission : 'denied')
  const ask = async () => {
    permission.value = await Notification.requestPermission()
  }
  return (
    <>
      {permission.value === 'default' && (
        <p class="field">
          {pageTexts.notifications.ask}{' '}
          <button type="button" onClick={() => void ask()}>
            {pageTexts.notifications.askAction}
          </button>
        </p>
      )}
      {permission.value === 'denied' && <p class="quiet">{pageTexts.notifications.blocked}</p>}
      <UserForm page="notifications" beside={{ notification_sound: Listen }} />
      <PushField />
    </>
  )
}

const Listen = (sound: string | number) => (
  <button type="button" disabled={sound === 'none'} onClick={() => listen(String(sound))}>
    {pageTexts.notifications.listen}
  </button>
)
