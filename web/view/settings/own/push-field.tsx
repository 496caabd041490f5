import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { canPush, isPushOn, switchPushOff, switchPushOn } from '../../../model/state/push.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { CheckField } from '../../parts/field.tsx'
import { useSession } from '../../session-context.ts'

/** The switch for this browser's push notifications. */
export function PushField() {
  const { client } = useSession()
  const isOn = useSignal(false)
  useEffect(() => {
    void isPushOn(client).then(
      (on) => (isOn.value = on),
      () => {},
    )
  }, [client, isOn])
  if (!canPush()) return <p class="quiet">{pageTexts.push.unsupported}</p>
  const save = async (on: boolean) => {
    try {
      await (on ? switchPushOn(client) : switchPushOff(client))
      isOn.value = on
    } catch (error) {
      // The checkbox shows the actual state, not the attempted one.
      isOn.value = on
      isOn.value = !on
      throw error
    }
  }
  return <CheckField label={pageTexts.push.label} about={pageTexts.push.help} value={isOn.value} save={save} />
}
