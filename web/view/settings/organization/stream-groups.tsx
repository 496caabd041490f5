import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { Tick } from '../../parts/field.tsx'
import { attempt } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'
import { TextField } from '../text-field.tsx'

/** Streams that are offered to new users together. */
export function StreamGroups() {
  const session = useSession()
  const { client } = session
  const { realm_default_stream_groups: groups, streams } = session.read('streams', 'organization')
  const open = streams.filter(({ invite_only, is_archived }) => !invite_only && !is_archived)
  const create = (data: FormData) =>
    client.createStreamGroup({
      group_name: textIn(data, 'name'),
      description: textIn(data, 'description'),
      stream_names: data.getAll('stream').map(String),
    })
  return (
    <section aria-labelledby="stream-groups">
      <h3 id="stream-groups">{pageTexts.channelSets.title}</h3>
      <p class="quiet small">{pageTexts.channelSets.intro}</p>
      <ul class="settings-list">
        {groups.map(({ id: group_id, name, description, streams: inside }) => (
          <li key={group_id} class="bot">
            <span class="name">{name}</span>
            <button
              type="button"
              aria-label={texts.common.removeName(name)}
              onClick={() => attempt(() => client.removeStreamGroup({ group_id }))}
            >
              {pageTexts.common.remove}
            </button>
            <div class="bot-settings">
              <TextField
                label={pageTexts.common.name}
                value={name}
                save={(new_group_name) => client.updateStreamGroup({ group_id, new_group_name })}
              />
              <TextField
                label={pageTexts.common.description}
                value={description}
                save={(new_description) => client.updateStreamGroup({ group_id, new_description })}
              />
              {open.map((stream) => (
                <Tick
                  key={stream.stream_id}
                  value={inside.includes(stream.stream_id)}
                  save={(isIn) =>
                    client.changeStreamGroup({ group_id, op: isIn ? 'add' : 'remove', stream_names: [stream.name] })
                  }
                >
                  {stream.name}
                </Tick>
              ))}
            </div>
          </li>
        ))}
      </ul>
      <details>
        <summary>{pageTexts.channelSets.new}</summary>
        <ActionForm action={pageTexts.channelSets.create} run={create}>
          <label>
            {pageTexts.common.name}
            <input name="name" required maxLength={60} autocomplete="off" />
          </label>
          <label>
            {pageTexts.common.description}
            <input name="description" maxLength={1024} autocomplete="off" />
          </label>
          <fieldset>
            <legend>{texts.places.channels}</legend>
            {open.map(({ stream_id, name }) => (
              <label key={stream_id} class="choice">
                <input type="checkbox" name="stream" value={name} />
                {name}
              </label>
            ))}
          </fieldset>
        </ActionForm>
      </details>
    </section>
  )
}
