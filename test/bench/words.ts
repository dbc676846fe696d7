/**
 * The vocabulary of the made-up text. Frequent words come first: they are picked more often.
 */

/** English words. */
export const english_words = words(`
the to a of and is in it that for this with we not be as on are you can from file but have test
should will now code there one function use when all run which value line error if or so no what
only first name then also same after let check add see line set call time type path build need
change list here how before where would does still result why data both field string new read
case each between without other user query because than table write index page server module keep
look process note branch message command step point since open handle reason output request start
state into order again fails fixed returns expected instead missing already another simple config
update parser question version return cache number default session record column offset buffer
while stream length empty remove option across import export client commit rename report folder
object until compare measure behind around during against schema storage memory thread limit works
reading writing rebuild deploy migrate release header footer cursor window timeout retry
lock queue worker backend frontend endpoint response payload token counter metric trace warning
nothing everything somewhere probably clearly exactly rarely quickly twice together separate local
remote private public internal shared unknown broken stale fresh partial complete nested ordered
because edge invariant boundary regression snapshot fixture assertion coverage benchmark profile
allocation descriptor checksum digest alignment fragment sequence iterator closure callback promise
transaction rollback isolation replica partition primary secondary constraint trigger migration
`);

/** German words; most texts made of them hold umlauts. */
export const german_words = words(`
die der und in zu den das nicht von sie ist des sich mit dem dass er es ein ich auf so eine auch als
an nach wie im für man aber aus durch wenn nur war noch werden bei hat wir was wird sein einen
welche sind oder zur um haben einer mir über ihm diese einem ihr uns da zum zwei können Prüfung
Änderung Größe Schlüssel ändern löschen öffnen schließen zurück überprüfen Übersicht möglich
müssen würde fünf führt gehört läuft natürlich während später nächste größer häufig Lösung
ungültig gültig Rückgabe Ausführung Verknüpfung Abhängigkeit Fehlermeldung Zwischenspeicher Straße
`);

/** French words; most texts made of them hold accents. */
export const french_words = words(`
le de un à être et en avoir que pour dans ce il qui ne sur se pas plus par je avec tout faire son
mettre autre on mais nous comme ou si leur y dire elle devoir avant deux même prendre aussi celui
donner bien où fois vous encore nouveau aller cela entre premier vouloir déjà grand mon me moins
aucun lui temps très savoir falloir voir quelque sans raison notre dont non année mémoire fenêtre
vérifier créé répertoire éditer caractère élément requête précédent début échec problème sécurité
général été après près système modèle méthode paramètre clé défaut dépôt compléter réécrire tâche
`);

/** Chinese words. */
export const chinese_words = words(`
的 我们 文件 可以 一个 这个 函数 不是 测试 数据 错误 代码 需要 使用 如果 没有 运行 结果 问题 现在 因为 所以 检查 修改
读取 写入 目录 路径 参数 返回 时间 类型 字符 缓存 索引 查询 服务 模块 更新 版本 接口 内存 线程 配置 日志 记录 会话 编译
列表 对象 长度 为空 已经 之后 之前 同时 其他 重新 添加 删除 比较 默认 完成 失败 成功 部分 所有 每次 建议 解决 首先 然后
`);

/** Signs and emoji, some outside the basic plane. */
export const emoji = words('✅ ❌ 🚀 ⚠️ 🔧 📦 🎉 💡 🐛 📝 🔍 ⏳ 🧪 👍 🔥 ✨ 🗂️ 🧹 📈 🔒 👩‍💻 🤖');

/** Typographic marks that English text and tool output are sprinkled with. */
export const typographic_marks = words('— → … ’ “ ” ✓ • │ ├── └── ─ × ≥ ≈ § ✗');

/** File name endings of the invented projects. */
export const extensions = words('ts ts ts tsx js json md py py rs go sql css yml sh toml html');

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter(word => word !== '');
}
