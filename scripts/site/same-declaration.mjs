// A plugin of typedoc. A member of a type that is computed from a schema has the schema's line as its declaration, often
// twice; typedoc warns of two comments although it is one. Where the places differ, the warning stays.
const TWICE = ' has multiple declarations with a comment.'

export function load({ logger }) {
  const { log } = logger
  let held
  logger.log = (message, level) => {
    const text = String(message)
    if (text.includes(TWICE)) {
      held = [message, level]
      return
    }
    if (held) {
      const [warning, warningLevel] = held
      held = undefined
      const [heading, ...places] = text.trim().split(/\n\s*/)
      if (/The comments for .* are declared at:$/.test(heading) && new Set(places).size === 1) {
        return
      }
      log.call(logger, warning, warningLevel)
    }
    log.call(logger, message, level)
  }
}
