import * as v from 'valibot'

const option = v.strictObject({ key: v.string(), label: v.string(), validator: v.string() })

/** A service whose events an incoming webhook announces. */
export const integrationShape = v.strictObject({
  /** The last part of its address, after /external/. */
  name: v.string(),
  display_name: v.string(),
  /** The kinds of events it announces; null for a service that doesn't name its events. */
  all_event_types: v.nullable(v.array(v.string())),
  /** Options in its bot's config_data. */
  config_options: v.array(option),
  /** Parameters of its address, besides the usual ones. */
  url_options: v.array(v.strictObject({ key: v.string(), label: v.string(), input_type: v.string() })),
})
export type Integration = v.InferOutput<typeof integrationShape>
