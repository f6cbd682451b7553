package ecma

import (
	"context"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// tables are the facts about tables of a file, one a line, with a column on each line below.
func tables(f source.File) string {
	var b strings.Builder
	for _, x := range f.Facts {
		if x.Kind == source.Data {
			b.WriteString(strings.Join(strings.Fields(strings.Join([]string{x.Value, x.Name, x.Also, x.ID, x.Of, x.Usage}, " ")), " ") + "\n")
			b.WriteString("  " + strings.ReplaceAll(x.Doc, "\n", "\n  ") + "\n")
		}
	}
	return b.String()
}

func TestTables(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"knex": {`exports.up = async (knex) => {
  if (!(await knex.schema.hasTable('ips'))) {
    await knex.schema.createTable("ips", (table) => {
      table.increments("id").primary();
      table.string("ip", 40).notNullable().unique().defaultTo("x");
      table.integer("user_id").unsigned();
      table.foreign("user_id").references("id").inTable("users");
      table.uuid("of").references("groups.id").onDelete("CASCADE");
      table.specificType("tags", "text[]");
      table.index(["ip"], "by_ip");
      table.timestamps(false, true);
    });
  }
  await knex.schema.alterTable("ips", (t) => { t.dropColumn("of"); t.boolean("on").defaultTo(false); t.renameColumn("ip", "address") });
  await knex.schema.table("other", (t) => t.string("name"));
}
exports.down = (knex) => knex.schema.dropTable("ips");
`, `SQL ips
  {"name":"id","type":"increments","key":true,"required":true}
  {"name":"address","type":"string(40)","default":"x","unique":true,"required":true}
  {"name":"user_id","type":"integer","refers":"users"}
  {"name":"tags","type":"text[]"}
  {"name":"created_at","type":"timestamp"}
  {"name":"updated_at","type":"timestamp"}
  {"name":"on","type":"boolean","default":"false"}
change change
  ALTER TABLE "other" ADD COLUMN "name" string
`},
		"kysely": {"export async function up(db: Kysely<any>) {\n  await db.schema\n    .createTable('users').ifNotExists()\n    .addColumn('id', 'uuid', (col) => col.primaryKey().defaultTo(sql`gen_uuid_v7()`))\n" +
			"    .addColumn('space', sql`varchar[]`, (c) => c.references('spaces.id').onDelete('cascade').notNull())\n    .addUniqueConstraint('u', ['space'])\n    .execute();\n" +
			"  await db.schema.alterTable('users').addColumn('name', 'text', (col) => col).renameTo('people').execute()\n}\nexport async function down(db) { await db.schema.dropTable('people').execute() }\n", `SQL people
  {"name":"id","type":"uuid","default":"gen_uuid_v7()","key":true,"required":true}
  {"name":"space","type":"varchar[]","refers":"spaces","unique":true,"required":true}
  {"name":"name","type":"text"}
`},
		"sequelize": {`module.exports = { up: async (queryInterface, Sequelize) => {
  await queryInterface.createTable('carts', { id: { type: Sequelize.INTEGER, primaryKey: true }, name: { type: Sequelize.STRING(20), allowNull: false, defaultValue: 'x' } })
  await queryInterface.addColumn('carts', 'of', { type: Sequelize.UUID, references: { model: 'users', key: 'id' } })
}, down: (queryInterface) => queryInterface.dropTable('carts') }
`, `SQL carts
  {"name":"id","type":"INTEGER","key":true,"required":true}
  {"name":"name","type":"STRING(20)","default":"x","required":true}
  {"name":"of","type":"UUID","refers":"users"}
`},
		"sequelize models": {`import { DataTypes } from 'sequelize'
const Cart = sequelize.define('Cart', { id: { type: DataTypes.INTEGER, primaryKey: true, field: 'cart_id' }, name: DataTypes.STRING }, { tableName: 'carts' })
class User extends Model {}
User.init({ mail: { type: DataTypes.STRING, unique: true } }, { sequelize })
class Book extends Model { static init(sequelize) { super.init({ title: DataTypes.TEXT }, { sequelize, modelName: 'book' }) } }
class Shelf extends Model { static init(sequelize) { return super.init({ id: DataTypes.UUID }, { sequelize, tableName: 'shelves' }) } }
other.define('X', { a: 1 })
`, `Sequelize Cart carts
  {"name":"id","type":"INTEGER","stored":"cart_id","key":true,"required":true}
  {"name":"name","type":"STRING"}
Sequelize User
  {"name":"mail","type":"STRING","unique":true}
Sequelize book
  {"name":"title","type":"TEXT"}
Sequelize Shelf shelves
  {"name":"id","type":"UUID"}
`},
		"sequelize without an import": {`module.exports = (sequelize, DataTypes) => {
  const User = sequelize.define('User', { id: { type: DataTypes.INTEGER, primaryKey: true } }, { tableName: 'users' });
  return User;
};
`, `Sequelize User users
  {"name":"id","type":"INTEGER","key":true,"required":true}
`},
		"mongoose": {`const mongoose = require('mongoose')
const schema = new mongoose.Schema({ name: { type: String, required: true, default: 'x' }, tags: [String], by: { type: ObjectId, ref: 'User' }, at: Date }, { timestamps: true })
module.exports = mongoose.model('Cart', schema)
`, `Mongoose Cart
  {"name":"name","type":"String","default":"x","required":true}
  {"name":"tags","type":"[String]"}
  {"name":"by","type":"ObjectId","refers":"User"}
  {"name":"at","type":"Date"}
`},
		"drizzle": {`import { pgTable, serial, text } from 'drizzle-orm/pg-core'
export const users = pgTable('app_users', { id: serial('id').primaryKey(), name: text('full_name').notNull().default('x'), at: timestamp().defaultNow() })
export const posts = pgTable('posts', (t) => ({ by: t.integer('by').references(() => users.id) }), (t) => [index('x').on(t.by)])
`, `Drizzle app_users
  {"name":"id","type":"serial","key":true,"required":true}
  {"name":"name","type":"text","default":"x","stored":"full_name","required":true}
  {"name":"at","type":"timestamp","default":"now()"}
Drizzle posts
  {"name":"by","type":"integer","refers":"app_users"}
`},
		"typeorm": {`import { Entity, Column } from 'typeorm'
abstract class Base { @PrimaryGeneratedColumn('uuid') id: string }
/** What people buy. */
@Entity('carts')
export class Cart extends Base {
  @Column({ type: 'varchar', nullable: true, default: 'x', name: 'full_name' }) name?: string
  @Column('int', { unique: true }) count: number
  @ManyToOne(() => User, (u) => u.carts) @JoinColumn({ name: 'user_id' }) user: User
  @ManyToOne(() => Shop, { nullable: false }) shop: Shop
  @OneToOne(() => Bill) @JoinColumn() bill: Bill
  @OneToOne(() => Note, (n) => n.cart) note: Note
  @OneToMany(() => Item, (i) => i.cart) items: Item[]
  other = 1
}
`, `TypeORM Base Base hidden
  {"name":"id","type":"string","key":true,"required":true}
TypeORM Cart carts Cart Base
  {"name":"name","type":"varchar","default":"x","stored":"full_name"}
  {"name":"count","type":"int","unique":true,"required":true}
  {"name":"user","type":"User","stored":"user_id","refers":"User"}
  {"name":"shop","type":"Shop","refers":"Shop","required":true}
  {"name":"bill","type":"Bill","refers":"Bill"}
`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tables(languageOf("a.ts").Extract(context.Background(), "a.ts", []byte(c.src))); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}
