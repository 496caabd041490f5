/** The first submessage of a poll or to-do list, parsed from what the sender typed. */
export function widgetOf(content: string): string | undefined {
  const [, type, rest = ''] = /^\/(poll|todo)(?![^ \n])(.*)$/s.exec(content) ?? []
  if (type === 'poll') return JSON.stringify({ widget_type: 'poll', extra_data: pollData(rest) })
  if (type === 'todo') return JSON.stringify({ widget_type: 'todo', extra_data: todoData(rest) })
  return undefined
}

/** The first line is the question, each further one an option, with or without a list marker. */
function pollData(text: string) {
  const [question = '', ...lines] = text.split('\n').map((line) => line.trim())
  return { question, options: lines.map(withoutMark).filter((line) => line !== '') }
}

/** The first line is the title, each further one a task, with its description after a colon. */
function todoData(text: string) {
  const [title = '', ...lines] = text.split('\n').map((line) => line.trim())
  const tasks = lines
    .map(withoutMark)
    .filter((line) => line !== '')
    .map((line) => {
      const colon = line.indexOf(':')
      return colon < 0
        ? { task: line, desc: '' }
        : { task: line.slice(0, colon).trim(), desc: line.slice(colon + 1).trim() }
    })
  return { task_list_title: title || 'Task list', tasks }
}

const withoutMark = (line: string): string => line.replace(/^[-*]\s+/, '').trim()
