import com.x.Driver;

/**
 * A module.
 */
@Deprecated
open module com.x.tricky {
    requires transitive java.sql;
    exports com.x.tricky to a, b;
    provides Driver with com.x.Impl;
}
