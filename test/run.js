// Runs the tests: `node test/run.js [part of a path]... [!part to leave out]... [--flag]...`; CONTRIBUTING.md lists the flags.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major > 22 || (major === 22 && minor >= 18)) {
  const { main } = await import('./runner/main.ts')
  process.exitCode = await main(process.argv.slice(2))
} else {
  console.error(
    `The tests need Node 22.18 or newer, and this is ${process.version}. \`npm test\` uses the project's own Node.`,
  )
  process.exitCode = 1
}
