import type { MailTexts } from './en.ts'
import { pluralOf } from './plural.ts'

const plural = pluralOf('ar')

export const texts: MailTexts = {
  common: {
    comma: '، ',
    labeled: (label, value) => `${label}: ${value}`,
    hello: (name) => `مرحبًا ${name}،`,
    helloStranger: 'مرحبًا،',
    ignore: 'إذا لم يصدر هذا الطلب منك، فيُرجى تجاهل هذه الرسالة. لم يتغيّر شيء.',
    stop: 'إيقاف هذه الرسائل',
    openChat: 'فتح الدردشة',
  },
  invitation: {
    subject: (inviter, organization) => `دعوة من ${inviter} للانضمام إلى ${organization}`,
    text: (inviter, address, organization) =>
      `وصلتك دعوة من ${inviter} (${address}) للانضمام إلى ${organization}، وهي دردشة لفرق العمل.`,
    join: (organization) => `الانضمام إلى ${organization}`,
    forYou: 'هذه الدعوة لك وحدك. إذا لم تكن لك معرفة بالمرسل، فيُرجى تجاهل هذه الرسالة.',
    forYouUntil: (day) =>
      `هذه الدعوة لك وحدك، وتنتهي صلاحيتها في ${day}. إذا لم تكن لك معرفة بالمرسل، فيُرجى تجاهل هذه الرسالة.`,
  },
  passwordReset: {
    subject: (organization) => `إعادة تعيين كلمة المرور في ${organization}`,
    text: (address, organization) => `طُلبت كلمة مرور جديدة لحسابك ${address} في ${organization}.`,
    choose: 'اختيار كلمة مرور جديدة',
    once: 'يعمل الرابط مرة واحدة خلال ساعة، ويؤدي استخدامه إلى تسجيل خروجك من كل مكان آخر.',
    ignore: 'إذا لم يصدر هذا الطلب منك، فيُرجى تجاهل هذه الرسالة. تبقى كلمة مرورك كما هي.',
  },
  signUp: {
    existsSubject: (organization) => `لديك حساب بالفعل في ${organization}`,
    exists: (address, organization) => `جرت محاولة إنشاء حساب للعنوان ${address} في ${organization}. لديك حساب بالفعل.`,
    signIn: (organization) => `تسجيل الدخول إلى ${organization}`,
    confirmSubject: (organization) => `تأكيد عنوان بريدك الإلكتروني في ${organization}`,
    confirm: (address, organization) =>
      `طُلب إنشاء حساب للعنوان ${address} في ${organization}، وهي دردشة لفرق العمل. غالبًا صدر هذا الطلب منك.`,
    create: 'إنشاء حسابك',
    once: 'يعمل الرابط مرة واحدة خلال يوم. إذا لم يصدر هذا الطلب منك، فيُرجى تجاهل هذه الرسالة.',
  },
  emailChange: {
    confirmSubject: (organization) => `تأكيد عنوان بريدك الإلكتروني الجديد في ${organization}`,
    confirm: (address, organization) => `يُرجى تأكيد أن ${address} هو العنوان الجديد لحسابك في ${organization}.`,
    confirmButton: 'تأكيد هذا العنوان',
    day: 'الرابط صالح لمدة يوم. إذا لم يصدر هذا الطلب منك، فيُرجى تجاهل هذه الرسالة.',
    changeSubject: (organization) => `عنوان بريدك الإلكتروني في ${organization} سيتغيّر`,
    change: (address, organization) => `سيصبح عنوان حسابك في ${organization} هو ${address} عند تأكيده.`,
    keep: 'إذا لم يصدر هذا الطلب منك، فيُرجى الاحتفاظ بعنوانك وتسجيل الخروج من كل مكان. الرابط صالح لمدة 7 أيام:',
    keepButton: 'الاحتفاظ بعنواني',
    thenPassword: 'بعد ذلك يُرجى اختيار كلمة مرور جديدة.',
  },
  account: {
    deactivatedSubject: (organization) => `تم تعطيل حسابك في ${organization}`,
    deactivated: (address, organization) =>
      `عطّل أحد المسؤولين حسابك ${address} في ${organization}. لم يعد بإمكانك تسجيل الدخول.`,
    theyWrote: 'التعليق:',
    reactivatedSubject: (organization) => `حسابك في ${organization} نشط من جديد`,
    reactivated: (address, organization) =>
      `أعاد أحد المسؤولين تفعيل حسابك ${address} في ${organization}. يمكنك تسجيل الدخول بكلمة مرورك.`,
    signIn: 'تسجيل الدخول',
    exportSubject: (organization) => `تصدير ${organization} جاهز`,
    export: (organization) => `تصدير ${organization} الذي بدأته جاهز. يمكنك تنزيله من إعدادات المؤسسة.`,
    ownExportSubject: (organization) => `بياناتك من ${organization} جاهزة`,
    ownExport: (organization) =>
      `رسائلك وملفاتك وإعداداتك في ${organization} جاهزة للتنزيل. يبقى الأرشيف في إعداداتك لمدة 7 أيام.`,
    openSettings: 'فتح الإعدادات',
  },
  welcome: {
    subject: (organization) => `مرحبًا بك في ${organization}`,
    text: (organization, address) => `لديك الآن حساب في ${organization}. يمكنك تسجيل الدخول بالعنوان ${address}.`,
    apps: (url) => `عنوان الخادم للتطبيقات: ${url}`,
  },
  signIn: {
    subject: (organization) => `تسجيل دخول جديد إلى ${organization}`,
    text: (account, organization) => `سُجّل الدخول من جهاز جديد إلى حسابك ${account} في ${organization}.`,
    textFrom: (account, organization, address) =>
      `سُجّل الدخول من جهاز جديد إلى حسابك ${account} في ${organization} من العنوان ${address}.`,
    device: 'الجهاز',
    unknownDevice: 'غير معروف',
    time: 'الوقت',
    ifYou: 'إذا كان هذا الدخول لك، فلا حاجة إلى فعل شيء. وإلا فيُرجى تسجيل الخروج من كل مكان واختيار كلمة مرور جديدة.',
    review: 'مراجعة الجلسات',
  },
  guessing: {
    subject: (organization) => `محاولات دخول فاشلة كثيرة إلى حسابك في ${organization}`,
    text: (count, account, organization) =>
      plural(count, {
        zero: `فشلت ${count} محاولة دخول إلى حسابك ${account} في ${organization} خلال ساعة. ربما يحاول أحد تخمين كلمة مرورك.`,
        one: `فشلت محاولة دخول واحدة إلى حسابك ${account} في ${organization} خلال ساعة. ربما يحاول أحد تخمين كلمة مرورك.`,
        two: `فشلت محاولتا دخول إلى حسابك ${account} في ${organization} خلال ساعة. ربما يحاول أحد تخمين كلمة مرورك.`,
        few: `فشلت ${count} محاولات دخول إلى حسابك ${account} في ${organization} خلال ساعة. ربما يحاول أحد تخمين كلمة مرورك.`,
        many: `فشلت ${count} محاولة دخول إلى حسابك ${account} في ${organization} خلال ساعة. ربما يحاول أحد تخمين كلمة مرورك.`,
        other: `فشلت ${count} محاولة دخول إلى حسابك ${account} في ${organization} خلال ساعة. ربما يحاول أحد تخمين كلمة مرورك.`,
      }),
    advice:
      'لم يدخل أحد بهذه الطريقة. إذا كانت كلمة المرور الخاطئة منك، فلا حاجة إلى فعل شيء. وإلا فيُرجى استخدام كلمة مرور طويلة لا تُستخدم في مكان آخر، وتطبيق مصادقة.',
    open: 'فتح حسابك',
  },
  missed: {
    with: (name) => `رسائل مباشرة مع ${name}`,
    withGroup: (names) => `رسائل مباشرة جماعية مع ${names}`,
    generalChat: 'الدردشة العامة',
    message: (sender, time) => `${sender}، ${time}:`,
    hidden: '(مخفي)',
    more: (count) =>
      plural(count, {
        zero: `و${count} رسالة أخرى.`,
        one: 'ورسالة أخرى.',
        two: 'ورسالتان أخريان.',
        few: `و${count} رسائل أخرى.`,
        many: `و${count} رسالة أخرى.`,
        other: `و${count} رسالة أخرى.`,
      }),
    open: 'فتح المحادثة',
    muteTopic: 'كتم هذا الموضوع',
    hiddenSubject: 'رسائل جديدة',
    hiddenText: (count) =>
      plural(count, {
        zero: `لديك ${count} رسالة جديدة. لا تظهر الرسائل في هذا البريد بسبب إعداداتك أو إعدادات المؤسسة.`,
        one: 'لديك رسالة جديدة. لا تظهر الرسالة في هذا البريد بسبب إعداداتك أو إعدادات المؤسسة.',
        two: 'لديك رسالتان جديدتان. لا تظهر الرسالتان في هذا البريد بسبب إعداداتك أو إعدادات المؤسسة.',
        few: `لديك ${count} رسائل جديدة. لا تظهر الرسائل في هذا البريد بسبب إعداداتك أو إعدادات المؤسسة.`,
        many: `لديك ${count} رسالة جديدة. لا تظهر الرسائل في هذا البريد بسبب إعداداتك أو إعدادات المؤسسة.`,
        other: `لديك ${count} رسالة جديدة. لا تظهر الرسائل في هذا البريد بسبب إعداداتك أو إعدادات المؤسسة.`,
      }),
    footer: (organization) => `وصلك هذا البريد لأن لديك رسائل فاتتك في ${organization}. لا يقرأ أحد الردود عليه.`,
    footerReply: (organization) =>
      `وصلك هذا البريد لأن لديك رسائل فاتتك في ${organization}. الرد عليه يصل إلى الدردشة.`,
  },
  test: {
    subject: 'رسالة اختبار',
    works: 'يستطيع خادم الدردشة إرسال البريد الإلكتروني.',
  },
  digest: {
    subject: (organization) => `أسبوعك في ${organization}`,
    text: (organization) => `هذا ما حدث في ${organization} خلال الأسبوع الماضي.`,
    unread: (count) =>
      plural(count, {
        zero: `لديك ${count} رسالة مباشرة غير مقروءة.`,
        one: 'لديك رسالة مباشرة واحدة غير مقروءة.',
        two: 'لديك رسالتان مباشرتان غير مقروءتين.',
        few: `لديك ${count} رسائل مباشرة غير مقروءة.`,
        many: `لديك ${count} رسالة مباشرة غير مقروءة.`,
        other: `لديك ${count} رسالة مباشرة غير مقروءة.`,
      }),
    messages: (count) =>
      plural(count, {
        zero: `في قنواتك ${count} رسالة جديدة.`,
        one: 'في قنواتك رسالة جديدة واحدة.',
        two: 'في قنواتك رسالتان جديدتان.',
        few: `في قنواتك ${count} رسائل جديدة.`,
        many: `في قنواتك ${count} رسالة جديدة.`,
        other: `في قنواتك ${count} رسالة جديدة.`,
      }),
    topics: 'مواضيع نشطة',
    topic: (count, names) =>
      plural(count, {
        zero: `${count} رسالة: ${names}`,
        one: `رسالة واحدة: ${names}`,
        two: `رسالتان: ${names}`,
        few: `${count} رسائل: ${names}`,
        many: `${count} رسالة: ${names}`,
        other: `${count} رسالة: ${names}`,
      }),
    channels: 'قنوات جديدة',
    footer: (organization) => `يصلك هذا البريد مرة في الأسبوع لأن ${organization} لم تُفتح من حسابك منذ عدة أيام.`,
  },
}
