import type { MailTexts } from './en.ts'
import { pluralOf } from './plural.ts'

const plural = pluralOf('zh-hans')

export const texts: MailTexts = {
  common: {
    comma: '、',
    labeled: (label, value) => `${label}：${value}`,
    hello: (name) => `${name}，你好！`,
    helloStranger: '你好！',
    ignore: '如果不是你本人操作，忽略这封邮件即可。没有任何更改。',
    stop: '不再接收这类邮件',
    openChat: '打开聊天',
  },
  invitation: {
    subject: (inviter, organization) => `${inviter} 邀请你加入 ${organization}`,
    text: (inviter, address, organization) => `${inviter}（${address}）邀请你加入团队聊天“${organization}”。`,
    join: (organization) => `加入 ${organization}`,
    forYou: '此邀请仅供你本人使用。如果你不认识发件人，忽略这封邮件即可。',
    forYouUntil: (day) => `此邀请仅供你本人使用，将于${day}过期。如果你不认识发件人，忽略这封邮件即可。`,
  },
  passwordReset: {
    subject: (organization) => `重置你在 ${organization} 的密码`,
    text: (address, organization) => `有人为你在“${organization}”的账号 ${address} 申请了新密码。`,
    choose: '设置新密码',
    once: '链接在一小时内有效，只能使用一次。使用后，你会在其他所有地方退出登录。',
    ignore: '如果不是你本人操作，忽略这封邮件即可。你的密码不会改变。',
  },
  signUp: {
    existsSubject: (organization) => `你在 ${organization} 已有账号`,
    exists: (address, organization) => `有人尝试在“${organization}”中为 ${address} 创建账号。你已经有账号了。`,
    signIn: (organization) => `登录 ${organization}`,
    confirmSubject: (organization) => `确认你用于 ${organization} 的邮箱地址`,
    confirm: (address, organization) => `有人（很可能是你）想在团队聊天“${organization}”中为 ${address} 创建账号。`,
    create: '创建账号',
    once: '链接在一天内有效，只能使用一次。如果不是你本人操作，忽略这封邮件即可。',
  },
  emailChange: {
    confirmSubject: (organization) => `确认你用于 ${organization} 的新邮箱地址`,
    confirm: (address, organization) => `确认 ${address} 是你在“${organization}”的账号的新地址。`,
    confirmButton: '确认此地址',
    day: '链接在一天内有效。如果不是你本人操作，忽略这封邮件即可。',
    changeSubject: (organization) => `你用于 ${organization} 的邮箱地址即将更改`,
    change: (address, organization) => `确认后，你在“${organization}”的账号地址将改为 ${address}。`,
    keep: '如果不是你本人操作，保留原地址，并在所有地方退出登录。链接在 7 天内有效：',
    keepButton: '保留我的地址',
    thenPassword: '然后设置新密码。',
  },
  account: {
    deactivatedSubject: (organization) => `你在 ${organization} 的账号已被停用`,
    deactivated: (address, organization) => `管理员停用了你在“${organization}”的账号 ${address}。你无法再登录。`,
    theyWrote: '管理员留言：',
    reactivatedSubject: (organization) => `你在 ${organization} 的账号已重新启用`,
    reactivated: (address, organization) =>
      `管理员重新启用了你在“${organization}”的账号 ${address}。使用你的密码登录即可。`,
    signIn: '登录',
    exportSubject: (organization) => `${organization} 的导出已完成`,
    export: (organization) => `你发起的“${organization}”导出已完成。可在组织设置中下载。`,
    ownExportSubject: (organization) => `你在 ${organization} 的数据已准备好`,
    ownExport: (organization) => `你在“${organization}”的消息、文件和设置已导出。7 天内可在你的设置中下载。`,
    openSettings: '打开设置',
  },
  welcome: {
    subject: (organization) => `欢迎加入 ${organization}`,
    text: (organization, address) => `你现在拥有“${organization}”的账号。请使用 ${address} 登录。`,
    apps: (url) => `应用的服务器地址：${url}`,
  },
  signIn: {
    subject: (organization) => `${organization} 有新的登录`,
    text: (account, organization) => `一台新设备登录了你在“${organization}”的账号 ${account}。`,
    textFrom: (account, organization, address) =>
      `一台新设备从地址 ${address} 登录了你在“${organization}”的账号 ${account}。`,
    device: '设备',
    unknownDevice: '未知',
    time: '时间',
    ifYou: '如果是你本人操作，无需处理。否则，在所有地方退出登录，并设置新密码。',
    review: '查看会话',
  },
  guessing: {
    subject: (organization) => `你在 ${organization} 的账号多次登录失败`,
    text: (count, account, organization) =>
      plural(count, {
        other: `一小时内，你在“${organization}”的账号 ${account} 登录失败了 ${count} 次。可能有人在猜测你的密码。`,
      }),
    advice:
      '没有人因此登录成功。如果是你自己输错了密码，无需处理。否则，使用一个不在别处使用的长密码，并使用身份验证器应用。',
    open: '打开账号',
  },
  missed: {
    with: (name) => `与 ${name} 的私信`,
    withGroup: (names) => `与 ${names} 的群组私信`,
    generalChat: '综合聊天',
    message: (sender, time) => `${sender}，${time}：`,
    hidden: '（已隐藏）',
    more: (count) => plural(count, { other: `还有 ${count} 条。` }),
    open: '打开会话',
    muteTopic: '将此话题静音',
    hiddenSubject: '新消息',
    hiddenText: (count) =>
      plural(count, { other: `你有 ${count} 条新消息。由于你或组织的设置，这封邮件不显示消息内容。` }),
    footer: (organization) => `你收到这封邮件，是因为你在“${organization}”有未读消息。回复这封邮件不会有人看到。`,
    footerReply: (organization) =>
      `你收到这封邮件，是因为你在“${organization}”有未读消息。回复这封邮件即可在聊天中回复。`,
  },
  test: {
    subject: '测试邮件',
    works: '你的聊天服务器可以发送邮件。',
  },
  digest: {
    subject: (organization) => `你在 ${organization} 的一周`,
    text: (organization) => `以下是“${organization}”最近一周的动态。`,
    unread: (count) => plural(count, { other: `你有 ${count} 条未读私信。` }),
    messages: (count) => plural(count, { other: `你的频道中有 ${count} 条新消息。` }),
    topics: '活跃话题',
    topic: (count, names) => plural(count, { other: `${count} 条消息：${names}` }),
    channels: '新频道',
    footer: (organization) => `你每周会收到一封这样的邮件，因为你已经几天没有打开“${organization}”了。`,
  },
}
