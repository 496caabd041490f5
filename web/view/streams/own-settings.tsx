import { useId } from 'preact/hooks'
import type { ClientState } from '../../../src/client/index.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { SaveState } from '../parts/field.tsx'
import { useShown } from '../parts/use-saving.ts'
import { useSession } from '../session-context.ts'
import { SettingField } from '../settings/setting-field.tsx'
import { type SubscriptionSettingName, subscriptionTable } from './stream-table.ts'

type Subscription = ClientState['subscriptions'][number]

/** The settings with the values yes, no, or default. */
const asElsewhere = { yes: true, no: false } as const

/** The reader's own settings of a stream. */
export function OwnSettings({ subscription }: { subscription: Subscription }) {
  const session = useSession()
  // The state changes in place, so a component that gets it as a property names the parts it depends on.
  session.read('streams')
  const { stream_id } = subscription
  const save = (property: SubscriptionSettingName, value: unknown) =>
    session.client.updateProperties({ subscription_data: [{ stream_id, property, value: value as boolean | string }] })
  return (
    <section aria-labelledby="for-you">
      <h2 id="for-you">{pageTexts.channel.personal}</h2>
      {subscriptionTable.map((setting) => {
        const { name, kind, label, about } = setting
        const value = subscription[name]
        if (name === 'color')
          return (
            <ColourField
              key={name}
              label={label}
              about={about}
              value={subscription.color}
              save={(colour) => save(name, colour)}
            />
          )
        if (kind === 'check')
          return <SettingField key={name} setting={setting} value={value} save={(now) => save(name, now)} />
        const shown = value === null ? '' : value ? 'yes' : 'no'
        return (
          <SettingField
            key={name}
            setting={setting}
            value={shown}
            save={(now) => save(name, asElsewhere[now as 'yes' | 'no'] ?? null)}
          />
        )
      })}
    </section>
  )
}

interface ColourProps {
  label: string
  about: string
  /** #rrggbb. */
  value: string
  save(value: string): Promise<unknown>
}

function ColourField({ label, about, value, save }: ColourProps) {
  const { shown, problem, saved, run } = useShown(value, save)
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <p class="quiet small">{about}</p>
      <input id={id} type="color" value={shown.value} onChange={(event) => run(event.currentTarget.value)} />
      <SaveState problem={problem.value} saved={saved.value} />
    </div>
  )
}
