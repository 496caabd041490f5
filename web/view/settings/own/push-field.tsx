import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { canPush, isPushOn, switchPushOff, switchPushOn } from '../../../model/state/push.ts'
import { useSession } from '../../session-context.ts'
import { CheckField } from '../field.tsx'

/** The switch for notifications of this browser while no page is open. */
export function PushField() {
  const { client } = useSession()
  const isOn = useSignal(false)
  useEffect(() => {
    void isPushOn(client).then(
      (on) => (isOn.value = on),
      () => {},
    )
  }, [client, isOn])
  if (!canPush()) return <p class="quiet">This browser cannot notify you while no page is open.</p>
  const save = async (on: boolean) => {
    try {
      await (on ? switchPushOn(client) : switchPushOff(client))
      isOn.value = on
    } catch (error) {
      // The box shows what is, not what was tried.
      isOn.value = on
      isOn.value = !on
      throw error
    }
  }
  return (
    <CheckField
      label="In this browser, also when no page is open"
      about="The same notifications, by the push service of the browser’s maker. They are encrypted: it learns when you get one, and not what it says. They end when you sign out."
      value={isOn.value}
      save={save}
    />
  )
}
