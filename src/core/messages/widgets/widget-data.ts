import * as v from 'valibot'
import { badRequest } from '../../kernel/errors.ts'

const index = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000))
const string = v.string()

interface Step {
  schema: v.GenericSchema
  /** The error for users other than the sender; absent where everybody may do it. */
  authorOnly?: string
}

/** The data that a widget accepts, by its type and the type of the data. */
const steps: Readonly<Record<string, Readonly<Record<string, Step>>>> = {
  poll: {
    vote: { schema: v.object({ key: string, vote: v.picklist([1, -1]) }) },
    new_option: { schema: v.object({ option: string, idx: index }) },
    question: {
      schema: v.object({ question: string }),
      authorOnly: "You can't edit a question unless you are the author.",
    },
  },
  todo: {
    new_task: { schema: v.object({ key: index, task: string, desc: string, completed: v.boolean() }) },
    strike: { schema: v.object({ key: string }) },
    new_task_list_title: {
      schema: v.object({ title: string }),
      authorOnly: "You can't edit the task list title unless you are the author.",
    },
  },
}

/** Throws unless a widget of this type accepts the data. */
export function checkWidgetData(widget: string, data: unknown, isAuthor: boolean): void {
  const known = steps[widget]
  if (!known) return
  const type = v.is(v.object({ type: string }), data) ? data.type : undefined
  if (type === undefined) throw badRequest(`Invalid ${widget} data`)
  const step = Object.hasOwn(known, type) ? known[type] : undefined
  if (!step) throw badRequest(`Unknown type for ${widget} data: ${type}`)
  if (step.authorOnly && !isAuthor) throw badRequest(step.authorOnly)
  if (!v.is(step.schema, data)) throw badRequest(`Invalid ${widget} data`)
}
