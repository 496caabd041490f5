import { fileURLToPath } from 'node:url'

/**
 * A reporter: one line of JSON for each test that is not part of another, with its name, whether it passed, and the file of tests it
 * is from. A test that a helper of its folder defines is known by the frames of its failure.
 */
export default async function* reportFailures(events) {
  for await (const { type, data } of events) {
    if (!/^test:(pass|fail)$/.test(type) || data.nesting > 0) continue
    const passed = type === 'test:pass'
    yield `${JSON.stringify({ name: data.name, passed, file: passed ? undefined : testFile(data) })}\n`
  }
}

function testFile({ file = '', details }) {
  const path = file.startsWith('file:') ? fileURLToPath(file) : file
  if (path.endsWith('.test.ts')) return path
  const { error } = details
  return /\/[^\s():]+\.test\.ts/.exec(String(error?.cause?.stack ?? error?.stack))?.[0] ?? path
}
